/** Versions by name: what a kernel says, without whatever is no text. */
export function versionsIn(said: unknown): Record<string, string> {
  if (typeof said !== 'object' || said === null) return {};
  const texts = Object.entries(said).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
