"""Compares counts of the built package with Python's tiktoken on 100,000 adversarial strings.

    pip install tiktoken
    python benches/tokens/oracle.py [o200k_base|cl100k_base] [how many]

tiktoken fetches its vocabulary once, or finds it where TIKTOKEN_CACHE_DIR says.
"""

import json
import pathlib
import random
import subprocess
import sys

import tiktoken

FRAGMENTS = [
    " ", "  ", "   ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\ufeff", "\u200b", "\x85",
    "a", "A", "ab", "Ab", "AB", "é", "É", "ß", "ǅ", "ʰ", "ª", "中", "文字", "ひらがな", "カ", "한국어", "ก",
    "ा", "\u0301", "'", "'s", "'S", "'ſ", "'t", "'RE", "'ve", "'Ll", "'d", "'m", "’s", "1", "12", "1234",
    "٣", "½", "Ⅷ", "²", "/", "//", "!", "!!", ".", "...", ",", "-", "_", "{", "}", '"', "\\", "\x00",
    "<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "😀", "👨‍👩‍👧", "🏳️‍🌈", "🇨🇳", "👍🏽", "\u200d",
    "\ufe0f", "hello", " world", "The", "function", "0x1F", "https://", "ﷺ", "𝔘", "𐍈", "\U000e0067",
]


def character(rng):
    limit = rng.choice([0x80, 0x800, 0x3000, 0xA000, 0x10000, 0x20000, 0x32000, 0x110000])
    code = rng.randrange(limit)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)


def text(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return "".join(rng.choice(FRAGMENTS) for _ in range(rng.randint(1, 16)))
    if kind == 1:
        return "".join(character(rng) for _ in range(rng.randint(1, 40)))
    if kind == 2:
        return bytes(rng.randrange(256) for _ in range(rng.randint(1, 80))).decode("utf-8", "replace")
    if kind == 3:
        return rng.choice(FRAGMENTS) * rng.randint(1, 150) + rng.choice(FRAGMENTS)
    if kind == 4:
        return "".join(chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(rng.randint(1, 60)))
    return json.dumps({rng.choice(FRAGMENTS): [rng.random(), text(rng) if rng.random() < 0.5 else None]},
                      ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 2]))


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "o200k_base"
    rng = random.Random(1)
    texts = [text(rng) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)]
    script = pathlib.Path(__file__).with_name("counts.mjs")
    ours = subprocess.run(["node", script, name], input=json.dumps(texts), stdout=subprocess.PIPE,
                          check=True, text=True, encoding="utf-8").stdout
    encoding = tiktoken.get_encoding(name)
    wrong = [(one, mine, len(encoding.encode_ordinary(one)))
             for one, mine in zip(texts, json.loads(ours), strict=True)
             if mine != len(encoding.encode_ordinary(one))]
    for one, mine, theirs in wrong[:10]:
        print(f"{one!r}: {mine}, tiktoken {theirs}")
    print(f"encoding={name} strings={len(texts)} mismatches={len(wrong)}")
    sys.exit(bool(wrong))


main()
