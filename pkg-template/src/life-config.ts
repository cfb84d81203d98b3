/** How memories settle, cool and are forgotten. */
export interface LifeConfig {
  /**
   * Days after which the weight of a memory that has not settled has halved. 0.01 to 3,650;
   * default: 14.
   */
  shortHalfLifeDays?: number;
  /** The same for settled memories. `shortHalfLifeDays` to 36,500; default: 180. */
  longHalfLifeDays?: number;
  /** Recency never counts less than this in a score. 0 to 1; default: 0.1. */
  floor?: number;
  /** What a pin multiplies a score by. 1 to 1,000; default: 10. */
  pinBoost?: number;
  /** Pinned memories of a user at most. 0 to 1,000; default: 20. */
  maxPinned?: number;
  /**
   * How long a memory that is new or was just used cannot be archived, in milliseconds. 0 to a day;
   * default: 30,000.
   */
  protectMs?: number;
  /** Memories of a user in ordinary recall at most. 1 to 1,000,000; default: 2,000. */
  maxHot?: number;
  /** Memories that go to the archive beyond the excess. 0 to 100,000; default: 50. */
  evictCount?: number;
  /** Memories of a user in the archive at most. 0 to 1,000,000; default: 5,000. */
  maxCold?: number;
  /**
   * What happens to the least recently used of a full archive: they are forgotten softly, or gone
   * for good. Default: `"soft"`.
   */
  coldOverflow?: "soft" | "hard";
  /** The age from which on a memory may settle, in milliseconds. 0 to a year; default: a day. */
  promoteAfterMs?: number;
  /** From this importance on, age alone settles. 1 to 11, where 11 turns that off; default: 7. */
  promoteImportance?: number;
  /** From this many uses on, age alone settles. 1 to 1,000,000; default: 3. */
  promoteAccesses?: number;
  /** A memory whose weight fell under this may be forgotten. 0 (never) to 1; default: 0.05. */
  forgetWeight?: number;
  /** Up to this importance time alone forgets. 0 (never) to 10; default: 4. */
  forgetImportance?: number;
  /** Days after which what was forgotten softly is gone. 0 (never) to 36,500; default: 365. */
  purgeDays?: number;
  /** Days for which what is gone is kept from coming back. 0 to 36,500; default: 365. */
  tombstoneDays?: number;
  /**
   * How often at most the use of one memory is noted, in milliseconds. 0 to a year; default:
   * 3,600,000 (an hour).
   */
  touchIntervalMs?: number;
  /**
   * How long a turn may wait for that at most, in milliseconds. 0 (it is never noted) to 60,000;
   * default: 250.
   */
  touchTimeoutMs?: number;
  /** The relevance from which on a memory that was found counts as used. 0 to 1; default: 0.2. */
  touchMinScore?: number;
  /** What a use adds to a weight. 0 to 10; default: 0.2. */
  reinforce?: number;
  /** A weight at most. 1 to 100; default: 2. */
  maxWeight?: number;
  /**
   * How long maintenance waits after it is through, in milliseconds. A minute to a day; default:
   * 900,000 (a quarter of an hour).
   */
  maintainIntervalMs?: number;
  /** Users that one slice of maintenance looks after at most. 1 to 100,000; default: 50. */
  maintainUsers?: number;
  /**
   * A slice ends after the user with whom it has read this many memories. 1 to 10,000,000; default:
   * 20,000.
   */
  maintainMemories?: number;
}
