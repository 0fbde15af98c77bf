/**
 * Formats a JSON value as its one canonical text: keys in order, no spaces, numbers as ECMAScript writes them (RFC 8785, *JSON
 * Canonicalization Scheme*). Keys with undefined values are left out, as JSON does.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    // By UTF-16 units, as `<` compares.
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`);
  return `{${parts.join()}}`;
}

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): Promise<string> => sha256OfBytes(new TextEncoder().encode(text));

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export async function sha256OfBytes(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', content);
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
