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
