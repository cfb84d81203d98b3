/** A copy that JSON can hold: bytes become base64 and URLs text. What is `undefined` goes. */
export function storable(value: unknown): unknown {
  if (value instanceof URL) {
    return value.href;
  }
  if (value instanceof ArrayBuffer) {
    return base64(new Uint8Array(value));
  }
  if (ArrayBuffer.isView(value)) {
    return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (Array.isArray(value)) {
    return value.map((item) => storable(item ?? null));
  }
  return isRecord(value) ? mapFields(value, storable) : value;
}

/** Whether two values are the same JSON, whatever the order of their fields. */
export function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => same(a[name], b[name]));
  }
  return Object.is(a, b);
}

/** An object with fields; no array, and nothing with a class of its own. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The object with every field changed, without those that are `undefined`. */
export function mapFields(
  record: Record<string, unknown>,
  change: (field: unknown, name: string) => unknown,
): Record<string, unknown> {
  const fields = Object.entries(record).map(
    ([name, field]) => [name, change(field, name)] as const,
  );
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

/** What the JSON text says; the text itself where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `data:` URLs in their two parts; `null` for any other URL. */
export function dataUrl(url: string): { mediaType: string; data: string } | null {
  const [, mediaType = "", data = ""] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(url) ?? [];
  return data === "" ? null : { mediaType, data };
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}
