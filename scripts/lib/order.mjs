// Orders the functions of a wasm module for gzip, which looks back no further than 32 KiB: instances
// of the same generic code cost next to nothing when they stand side by side, and their full length
// when they do not.

/** Bytes of code that the next function is compared with. */
const WINDOW = 32_000;
/** Functions are alike by the runs of so many bytes that they share: the longer a match, the more it saves … */
const RUNS = [5, 9, 16];
/** … leaving out runs that are in more functions than this: those are near wherever one looks. */
const COMMON = 400;

const IMPORTS = 2;
const CODE = 10;

/** The module with names by which `wasm-opt --reorder-functions-by-name` puts its functions in order. */
export function nameInOrder(wasm) {
  const { imported, bodies, kept } = read(wasm);
  const names = [];
  order(bodies).forEach((index, rank) => {
    names[index] = Buffer.from(String(rank).padStart(6, "0"));
  });
  const entries = names.flatMap((name, index) => [leb(imported + index), sized(name)]);
  const functionNames = Buffer.concat([leb(names.length), ...entries]);
  const section = Buffer.concat([sized(Buffer.from("name")), Buffer.of(1), sized(functionNames)]);
  return Buffer.concat([...kept, Buffer.of(0), sized(section)]);
}

/** The indices of these functions, each followed by the one most like the last `WINDOW` bytes. */
function order(bodies) {
  const runs = shared(bodies);
  // Of each function, what the window holds of its runs; and against what that is weighed. A long one
  // comes before a short one that is as much alike: more can be found in it. Roots are exact, so that
  // every machine gives the same order.
  const held = new Float64Array(bodies.length);
  const weights = bodies.map(
    ({ length }) => Math.sqrt(length + 4) * Math.sqrt(Math.sqrt(length + 4)),
  );
  const hold = (run, change) => {
    for (const index of run.holders) {
      held[index] += change;
    }
  };
  const left = new Set(bodies.keys());
  const ordered = [];
  let first = 0;
  let size = 0;
  while (left.size > 0) {
    // Without anything alike, the longest: it has the most to offer to what follows.
    const next =
      best(left, (index) => held[index] / weights[index]) ??
      best(left, (index) => bodies[index].length);
    left.delete(next);
    ordered.push(next);
    size += bodies[next].length;
    for (const run of runs[next]) {
      run.times += 1;
      if (run.times === 1) {
        hold(run, run.worth);
      }
    }
    for (; size > WINDOW && first < ordered.length - 1; first += 1) {
      size -= bodies[ordered[first]].length;
      for (const run of runs[ordered[first]]) {
        run.times -= 1;
        if (run.times === 0) {
          hold(run, -run.worth);
        }
      }
    }
  }
  return ordered;
}

/** The runs of bytes that each function shares with others, and who these are. */
function shared(bodies) {
  const runs = bodies.map(() => []);
  for (const length of RUNS) {
    for (const holders of holdersOf(bodies, length)) {
      if (holders.length > 1 && holders.length <= COMMON) {
        // What few have is seldom near by chance.
        const run = { holders, times: 0, worth: 1 / Math.sqrt(holders.length) };
        for (const index of holders) {
          runs[index].push(run);
        }
      }
    }
  }
  return runs;
}

/** Of every run of this many bytes, the functions that have it. */
function holdersOf(bodies, length) {
  const all = new Map();
  bodies.forEach((body, index) => {
    for (let at = 0; at + length <= body.length; at += 1) {
      const bytes = body.latin1Slice(at, at + length);
      const holders = all.get(bytes);
      if (holders === undefined) {
        all.set(bytes, [index]);
      } else if (holders.at(-1) !== index) {
        holders.push(index);
      }
    }
  });
  return all.values();
}

function best(indices, value) {
  let found;
  let highest = 0;
  for (const index of indices) {
    const here = value(index);
    if (here > highest) {
      found = index;
      highest = here;
    }
  }
  return found;
}

/** The number of imported functions, the bodies of the others, and all sections but the custom ones. */
function read(wasm) {
  let imported = 0;
  let bodies = [];
  const kept = [wasm.subarray(0, 8)];
  const reader = new Reader(wasm, 8);
  while (reader.at < wasm.length) {
    const start = reader.at;
    const id = reader.byte();
    const section = reader.sized();
    if (id === IMPORTS) {
      imported = importedFunctions(section);
    } else if (id === CODE) {
      const code = new Reader(section);
      bodies = Array.from({ length: code.leb() }, () => code.sized());
    }
    if (id !== 0) {
      kept.push(wasm.subarray(start, reader.at));
    }
  }
  return { imported, bodies, kept };
}

const FUNCTION = 0;
const TABLE = 1;
const GLOBAL = 3;

function importedFunctions(section) {
  const reader = new Reader(section);
  let functions = 0;
  for (let left = reader.leb(); left > 0; left -= 1) {
    reader.sized();
    reader.sized();
    const kind = reader.byte();
    functions += kind === FUNCTION ? 1 : 0;
    reader.skipType(kind);
  }
  return functions;
}

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    this.at += 1;
    return this.bytes[this.at - 1];
  }

  leb() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) {
        return value;
      }
    }
  }

  /** What an import is, of a function, a table, a memory or a global. */
  skipType(kind) {
    if (kind === FUNCTION) {
      this.leb();
      return;
    }
    if (kind === TABLE) {
      this.byte();
    }
    if (kind === GLOBAL) {
      this.byte();
      this.byte();
      return;
    }
    const hasMaximum = this.byte() & 1;
    this.leb();
    if (hasMaximum) {
      this.leb();
    }
  }

  sized() {
    const length = this.leb();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) {
      return Buffer.of(...bytes, rest);
    }
    bytes.push((rest & 127) | 128);
  }
}

function sized(bytes) {
  return Buffer.concat([leb(bytes.length), bytes]);
}
