/** What went wrong, in a form that programs can rely on: codes are never renamed. */
export type ErrorCode =
  /** A value has a wrong type, is missing, or is out of range; `path` names it. */
  | "invalid_input"
  /** The same, for the configuration or another option of `create`. */
  | "invalid_config"
  /** The named tokenizer encoding does not exist. */
  | "unknown_encoding"
  /** The vocabulary of the encoding was not passed; the message says what to import. */
  | "vocabulary_missing"
  /**
   * The vocabulary of the encoding could not be loaded, is damaged or is another one; see
   * `details.reason`: `"load"`, `"damaged"`, `"foreign"` or `"version"`.
   */
  | "vocabulary_failed"
  /** A text, list or id is over its documented limit. */
  | "too_large"
  /** What must be in the window does not fit in the token budget. */
  | "budget_exceeded"
  /** No memory or message of that id is visible in this scope. */
  | "not_found"
  /** Other writers came first too often, or it is no longer the current version. */
  | "conflict"
  /** The durable store failed; `details.outcome` says whether it may have been written. */
  | "store_failed"
  /** A stored record cannot be read: damaged, or written by a newer version. */
  | "corrupt_record"
  /** The token counter that was passed failed or gave something that is not a count. */
  | "counter_failed"
  /** The host cannot give time or random bytes. */
  | "host_failed"
  /** An external service could not be reached, or answered nothing usable; see `details.reason`. */
  | "service_failed"
  /** The agent's provider has no such call; see `details.provider`. */
  | "unsupported"
  /** The WebAssembly module is not loaded, or could not be. */
  | "not_initialized"
  /** The instance was closed. */
  | "closed"
  /** The language model or embedder could not be reached, or answered nothing usable; see `details.reason`. */
  | "llm_failed";

/** What a {@link SiltstoneError} carries beside its code and message. */
export interface ErrorOptions {
  /** The path of the field that is wrong, such as `messages[2].content`. */
  readonly path?: string | undefined;
  /** More for programs: what was expected, the limit, the id. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/** The one error type of this package. */
export class SiltstoneError extends Error {
  override readonly name = "SiltstoneError";
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** The path of the field that is wrong, such as `messages[2].content`. */
  readonly path?: string;
  /** More for programs: what was expected, the limit, the id. */
  readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.path !== undefined) {
      this.path = options.path;
    }
    if (options.details !== undefined) {
      this.details = options.details;
    }
  }
}

/** Whether it is one, of whatever may be thrown: even asking may throw. */
export function isSiltstoneError(thrown: unknown): thrown is SiltstoneError {
  try {
    return thrown instanceof SiltstoneError;
  } catch {
    return false;
  }
}

/**
 * Gives what the core threw as a {@link SiltstoneError}; what has no code comes back as it is.
 *
 * @param hostFault - What the host threw last. Where that is why the core failed, and says so with a
 * code of its own, it comes back itself.
 */
export function fromCore(thrown: unknown, hostFault?: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof SiltstoneError || !("code" in thrown)) {
    return thrown;
  }
  const { code, path, details } = thrown as Error & ErrorOptions & { code: ErrorCode };
  if (
    code === "store_failed" &&
    isSiltstoneError(hostFault) &&
    thrown.message.endsWith(hostFault.message)
  ) {
    return hostFault;
  }
  return new SiltstoneError(code, thrown.message, { path, details });
}
