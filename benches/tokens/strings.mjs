// Short texts that tell tokenizers apart: fragments that splitting treats in ways of their own, and
// characters of every block.

import { Dice } from "../lib/random.mjs";

const FRAGMENTS = [
  ...[" ", "  ", "   ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\ufeff", "\u200b"],
  ...[
    "\x85",
    "a",
    "A",
    "ab",
    "Ab",
    "AB",
    "é",
    "É",
    "ß",
    "ǅ",
    "ʰ",
    "ª",
    "中",
    "文字",
    "カ",
    "한국어",
    "ก",
  ],
  ...["ा", "\u0301", "'", "'s", "'S", "'ſ", "'t", "'RE", "'ve", "'Ll", "'d", "'m", "’s", "1", "12"],
  ...["1234", "٣", "½", "Ⅷ", "²", "/", "//", "!", "!!", ".", "...", ",", "-", "_", "{", "}", '"'],
  ...[
    "\\",
    "\x00",
    "<|endoftext|>",
    "<|fim_prefix|>",
    "😀",
    "👨‍👩‍👧",
    "🏳️‍🌈",
    "🇨🇳",
    "👍🏽",
    "\u200d",
    "\ufe0f",
  ],
  ...["hello", " world", "The", "function", "0x1F", "https://", "ﷺ", "𝔘", "𐍈", "\u{e0067}"],
];
const LIMITS = [0x80, 0x800, 0x3000, 0xa000, 0x10000, 0x20000, 0x32000, 0x110000];

function character(dice) {
  const code = dice.below(dice.of(LIMITS));
  return code >= 0xd800 && code < 0xe000 ? "\ufffd" : String.fromCodePoint(code);
}

const many = (dice, most, one) =>
  Array.from({ length: 1 + dice.below(most) }, () => one(dice)).join("");

const KINDS = [
  (dice) => many(dice, 16, () => dice.of(FRAGMENTS)),
  (dice) => many(dice, 40, character),
  (dice) => dice.of(FRAGMENTS).repeat(1 + dice.below(80)) + dice.of(FRAGMENTS),
  (dice) => many(dice, 60, () => String.fromCodePoint(0x4e00 + dice.below(0x51ff))),
  (dice) =>
    JSON.stringify(
      { [dice.of(FRAGMENTS)]: [dice.roll(), dice.of(FRAGMENTS)] },
      null,
      dice.below(3),
    ),
];

export function strings(count) {
  const dice = new Dice(7);
  return Array.from({ length: count }, () => dice.of(KINDS)(dice));
}
