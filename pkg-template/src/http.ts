import { type ErrorCode, SiltstoneError } from "./errors.js";
import { backoff, retryAfter } from "./retry.js";
import { MAX_TIMER_MS } from "./timers.js";

/** A server, and how its faults are told. */
export interface Service {
  /** For messages, such as `the language model's server`. */
  who: string;
  /** The code of its faults. */
  code: ErrorCode;
  /** Never repeated in an error: some servers echo it. */
  secret?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** A request with a JSON body. */
export interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  /**
   * When it may be sent again: after any fault that may pass, where it does no harm twice; after 429
   * alone, which says that nothing was done; or never.
   */
  repeat: "always" | "refused" | "never";
  /** The time that all attempts have together; the signal enforces it. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What a server answered in the end, whatever the status. */
export interface HttpAnswer {
  status: number;
  type: string;
  text: string;
}

const MAX_ATTEMPTS = 4;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Makes a request, again while its time allows it, and reads the whole answer. */
export function exchange(service: Service, request: HttpRequest): Promise<HttpAnswer> {
  return attempts(service, request, (response) => whole(service, response));
}

/** Makes a request whose answer has to be a success, and reads its JSON. */
export async function askJson(service: Service, request: HttpRequest): Promise<unknown> {
  const answer = await exchange(service, request);
  if (answer.status < 200 || answer.status > 299) {
    throw statusFault(service, answer);
  }
  return readJson(service, answer);
}

/** The same, for an answer that is read as it comes and has to be a success. */
export function open(service: Service, request: HttpRequest): Promise<Response> {
  return attempts(service, request, async (response) => {
    if (!response.ok) {
      throw statusFault(service, await whole(service, response));
    }
    return response;
  });
}

/** The answer's JSON. */
function readJson(service: Service, { text, type }: HttpAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const came = text.trim() === "" ? "nothing" : `${type || "no type"}: ${start(text, 100)}`;
    throw fault(service, "malformed", `answered something else than JSON (${came})`);
  }
}

/** An error that tells what status came. */
export function statusFault(service: Service, { status, text }: HttpAnswer): SiltstoneError {
  // A browser does not tell the status of a redirect that it did not follow.
  const moved = status === 0 || (status >= 300 && status <= 399);
  const denied = status === 401 || status === 403;
  const hint = denied ? "; check the API key" : "; give the address that it redirects to";
  const why = denied || moved ? hint : `: ${start(text, 300)}`;
  return fault(service, "status", `answered ${status}${why}`, { status });
}

/** An error of a service. */
export function fault(
  service: Service,
  reason: string,
  what: string,
  { cause, ...details }: { cause?: unknown; status?: number } = {},
): SiltstoneError {
  // A cause may repeat what was sent.
  const text = cause instanceof Error ? `${cause} ${cause.stack} ${cause.cause}` : String(cause);
  const told = service.secret && text.includes(service.secret) ? undefined : cause;
  return new SiltstoneError(service.code, hidden(service, `${service.who} ${what}`), {
    details: { reason, ...details },
    ...(told !== undefined && { cause: told }),
  });
}

async function attempts<T>(
  service: Service,
  request: HttpRequest,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs = Number.POSITIVE_INFINITY, repeat } = request;
  const deadline = Date.now() + timeoutMs;
  /** How long to wait before the next attempt; `undefined`: this was the last. */
  const pause = (attempt: number, isRefused: boolean, asked?: number) => {
    const mayRepeat = repeat === "always" || (repeat === "refused" && isRefused);
    const wait = asked ?? backoff(attempt);
    const fits = wait < Math.min(deadline - Date.now(), MAX_TIMER_MS);
    return mayRepeat && attempt < MAX_ATTEMPTS && fits ? wait : undefined;
  };
  for (let attempt = 1; ; attempt += 1) {
    let wait: number | undefined;
    try {
      const response = await once(service, request);
      const isRefused = response.status === 429;
      if (isRefused || response.status >= 500) {
        const asked = retryAfter(response.headers.get("retry-after"), Date.now());
        wait = pause(attempt, isRefused, asked);
      }
      if (wait === undefined) {
        return await read(response);
      }
      await response.body?.cancel();
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SiltstoneError) {
        throw cause;
      }
      wait = pause(attempt, false);
      if (wait === undefined) {
        throw fault(service, "network", "could not be reached, or broke off", { cause });
      }
    }
    await sleep(wait, signal);
  }
}

async function once(service: Service, request: HttpRequest): Promise<Response> {
  const { url, method, headers, body, signal } = request;
  signal?.throwIfAborted();
  // Called as a method of another object, the global one fails.
  const { fetch: send = fetch } = service;
  return send(url, {
    method,
    // Followed to another origin, a redirect would take headers that hold a key along.
    redirect: "manual",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

async function whole(service: Service, response: Response): Promise<HttpAnswer> {
  const text = await readText(service, response);
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    text: response.ok ? text : hidden(service, text),
  };
}

async function readText(service: Service, response: Response): Promise<string> {
  if (response.body === null) {
    return "";
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw fault(service, "too_large", `answered more than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function hidden({ secret }: Service, text: string): string {
  return secret ? text.replaceAll(secret, "[key]") : text;
}

function start(text: string, length: number): string {
  return text.slice(0, length).trim();
}
