import { SiltstoneError } from "./errors.js";

/** Checks one option of an adapter. */
export function expect(path: string, holds: boolean, expected: string): void {
  if (!holds) {
    const message = `${path}: expected ${expected}`;
    throw new SiltstoneError("invalid_config", message, { path, details: { expected } });
  }
}

/** Checks where a server is and its key, and gives the address without a slash at its end. */
export function address(baseUrl: string, apiKey = ""): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain = url?.username === "" && url.password === "" && !/[?#]/.test(baseUrl);
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  expect("baseUrl", isPlain && isHttp, "an http or https URL without credentials or query");
  // Else `fetch` refuses the header with an error that repeats it.
  expect("apiKey", /^[\x21-\x7e]*$/.test(apiKey), "printable ASCII without spaces");
  return baseUrl.replace(/\/+$/, "");
}
