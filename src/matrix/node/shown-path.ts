import { resolve } from 'node:path';

/** A path for a message about a file that is not where it is said to be: as it was given, and where that leads. */
export function shownPath(given: string): string {
  const absolute = resolve(given);
  return absolute === given ? given : `${given} (${absolute})`;
}
