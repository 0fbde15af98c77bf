import { resolve } from 'node:path';

/** Formats the path of an unreadable file for a message: the path as given, and the absolute path it resolves to. */
export function formatPath(given: string): string {
  const absolute = resolve(given);
  return absolute === given ? given : `${given} (${absolute})`;
}
