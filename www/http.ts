// Reading requests and answering errors.

import { SiltstoneError } from "siltstone";
import type { ErrorBody } from "./wire.js";

/** An error of the API itself, beside those of the memory. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorBody["error"]["code"],
    message: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

const STATUS: Partial<Record<SiltstoneError["code"], number>> = {
  invalid_input: 400,
  too_large: 413,
  budget_exceeded: 413,
  not_found: 404,
  conflict: 409,
  llm_failed: 502,
  store_failed: 503,
};

/** What the page may know about an error. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof SiltstoneError || error instanceof HttpError) {
    const { code, message, path } = error;
    return { error: { code, message, ...(path !== undefined && { path }) } };
  }
  console.error(error);
  return { error: { code: "internal", message: "Something went wrong on the server. Try again." } };
}

/** An error as the answer to a request. */
export function errorResponse(error: unknown): Response {
  const own = error instanceof HttpError ? error.status : undefined;
  const siltstone = error instanceof SiltstoneError ? STATUS[error.code] : undefined;
  return Response.json(errorBody(error), { status: own ?? siltstone ?? 500 });
}

const MAX_BODY_BYTES = 1_000_000;

/** Reads a small JSON object that the page itself sent. */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    throw new HttpError(415, "invalid_input", "expected a body of type application/json");
  }
  const text = await readText(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError(400, "invalid_input", "the body is not JSON");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError(400, "invalid_input", "the body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Read to its end also when it is too long, as `drain` does.
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    text = bytes > MAX_BODY_BYTES ? "" : text + decoder.decode(chunk, { stream: true });
  }
  if (bytes > MAX_BODY_BYTES) {
    throw new HttpError(413, "too_large", `the body is over ${MAX_BODY_BYTES} bytes`);
  }
  return text + decoder.decode();
}

/** Reads what was not read of a body: a sender that is cut off may see no answer. */
export async function drain(request: Request): Promise<void> {
  if (!request.bodyUsed) {
    await request.body?.pipeTo(new WritableStream());
  }
}

/** A text field that has to be there, of at most `limit` characters. */
export function textField(fields: Record<string, unknown>, name: string, limit = Infinity): string {
  const value = fields[name];
  if (typeof value !== "string" || value.trim() === "") {
    throw new HttpError(400, "invalid_input", `${name}: expected a text`, name);
  }
  if (value.length > limit) {
    throw new HttpError(413, "too_large", `${name}: at most ${limit} characters`, name);
  }
  return value;
}

/** The id of a user or a session. */
export function idField(fields: Record<string, unknown>, name: string): string {
  return textField(fields, name, 128);
}

/** Refuses what another site's page sends. A browser always says where such a request is from. */
export function checkOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== new URL(request.url).origin) {
    throw new HttpError(403, "not_allowed", "this API answers its own page only");
  }
}
