import { checkText } from "../check.js";
import { counterOf } from "../counter.js";
import { type ErrorCode, SiltstoneError } from "../errors.js";
import { bytesOf, type Vocabulary } from "../vocab/file.js";
import {
  count,
  countShort,
  estimate,
  failure,
  type InitOutput,
  install,
  room,
} from "../wasm/tokens.js";
import type { MakeCounter } from "./make.js";

export { default as load, initSync } from "../wasm/tokens.js";

/** UTF-16 units of a text that is written to a place of its own, which the module keeps. */
const SHORT = 65_536;

let loading: Promise<InitOutput> | undefined;
// What is installed stays, so no file is read twice.
const installing = new Map<string, Promise<number>>();

/** Makes counters, once `load` has loaded the module; that is done once. */
export function counterFrom(load: () => Promise<InitOutput> | InitOutput): MakeCounter {
  return async function tokenCounter(vocabulary) {
    if (vocabulary !== "estimate" && typeof vocabulary?.load !== "function") {
      const expected = 'a vocabulary, or "estimate"';
      const path = "vocabulary";
      const message = `${path}: expected ${expected}`;
      throw new SiltstoneError("invalid_input", message, { path, details: { expected } });
    }
    loading ??= once(load).catch((error) => {
      loading = undefined;
      throw error;
    });
    const module = await loading;
    if (vocabulary === "estimate") {
      return counterOf((text, limit) => {
        checkText(text);
        return upTo(limit, estimate(text));
      });
    }
    const { encoding } = vocabulary;
    let installed = installing.get(encoding);
    if (installed === undefined) {
      installed = installedFrom(vocabulary).catch((error: unknown) => {
        installing.delete(encoding);
        throw error;
      });
      installing.set(encoding, installed);
    }
    return counterOf(counting(module, await installed));
  };
}

function counting({ memory }: InitOutput, encoding: number) {
  const encoder = new TextEncoder();
  let place = new Uint8Array(0);
  return (text: string, limit: number) => {
    if (text.length > SHORT) {
      checkText(text);
      return count(encoding, text, limit);
    }
    // When the memory grows, views of it end.
    if (place.length === 0) {
      const start = room();
      place = new Uint8Array(memory.buffer, start, SHORT * 3);
    }
    const { written } = encoder.encodeInto(text, place);
    // ASCII takes a byte for each unit, and has no halves of surrogate pairs.
    if (written !== text.length) {
      checkText(text);
    }
    return countShort(encoding, written, limit);
  };
}

async function once(load: () => Promise<InitOutput> | InitOutput): Promise<InitOutput> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the WebAssembly module could not be loaded: ${reason}`;
    throw new SiltstoneError("not_initialized", message, { cause });
  }
}

async function installedFrom(vocabulary: Vocabulary): Promise<number> {
  const { encoding } = vocabulary;
  const number = install(encoding, await bytesOf(vocabulary));
  if (number < 0) {
    const [code, reason, message] = failure().split("\n") as [ErrorCode, string, string];
    throw new SiltstoneError(code, message, {
      details: reason === "" ? {} : { encoding, reason },
    });
  }
  return number;
}

function upTo(limit: number, tokens: number): number | undefined {
  return tokens <= limit ? tokens : undefined;
}
