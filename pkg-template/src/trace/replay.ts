import type { SiltstoneConfig } from "../config.js";
import type { Host } from "../host.js";
import type { Siltstone } from "../siltstone.js";
import type { Lines } from "../transfer.js";
import { version } from "../version.js";
import type { Vocabulary } from "../vocabularies.js";
import type { Difference } from "./difference.js";
import { TraceReader, wrong } from "./lines.js";
import { Player } from "./player.js";

/** How a trace is replayed. */
export interface ReplayTraceOptions {
  /** The class, from the entry that you use: `siltstone` or `siltstone/slim`. */
  Siltstone: Pick<typeof Siltstone, "create">;
  /** In place of the configuration in the trace: to see what another one changes. */
  config?: SiltstoneConfig;
  /** Vocabularies beside those that the entry brings, where the configuration needs one. */
  vocabularies?: readonly Vocabulary[];
  /** Replays a trace of another version of the package all the same. Default: false. */
  anyVersion?: boolean;
}

/** What came of a replay. */
export interface Replayed {
  /** Whether every host call and every result was the same, to the byte. */
  status: "same" | "different";
  /** The first difference; the replay ends there. */
  difference?: Difference;
  /** Calls of the memory that were made again. */
  calls: number;
  /** Host calls that were the same. */
  hostCalls: number;
  /**
   * Whether it came to the trace's last line, which is written when the instance is closed. A trace
   * that ends before, of a process that died, is replayed as far as it goes.
   */
  isComplete: boolean;
}

/**
 * Does again what a trace tells, without the host: every call of the memory, with the answers that
 * the host gave then, in the order in which they came. Says whether every host call and every result
 * is the same, to the byte, and what is not.
 *
 * @param lines - The trace, whole or in pieces: a text, a file, a stream. It is read as it is replayed.
 * @throws SiltstoneError `invalid_input` for what is no trace, a line that is damaged or missing
 * (`path` and `details.line` name it; `details.reason` is `"damaged"`, `"cut_off"` for a last line
 * without its end, `"version"` for a trace of another version).
 */
export async function replay(lines: Lines, options: ReplayTraceOptions): Promise<Replayed> {
  const reader = new TraceReader(lines);
  const header = await reader.header();
  if (header.version !== version && options.anyVersion !== true) {
    throw wrong(1, ".version", version, header.version);
  }
  const player = new Player(header);
  const { Siltstone, vocabularies } = options;
  const memory = await Siltstone.create({
    host: NOWHERE,
    trace: player,
    config: options.config ?? player.config,
    ...(vocabularies && { vocabularies }),
  });
  try {
    return await player.play(reader);
  } finally {
    memory.close();
  }
}

const nowhere = async () => {
  throw new Error("a replay has no host");
};
/** Never asked: the player answers. */
const NOWHERE: Host = { store: { get: nowhere, range: nowhere, commit: nowhere } };
