/**
 * What version 0.1 called the fringe, the tail and the storage of A and B. Texts with its words are read for one
 * version; what is written has today's.
 */
const OLD: readonly (readonly [RegExp, string])[] = [
  [/(^|[;'"\s])border=/g, '$1fringe='],
  [/(^|[;'"\s])edge=guard\b/g, '$1tail=mask'],
  [/(^|[;'"\s])edge=/g, '$1tail='],
  [/(^|[;'"\s])layout=([nt])([nt])((?:\+\d+)?)/g, '$1a=$2$4;b=$3$4'],
];

/** A text of cases or patterns in today's words. */
export function inTodaysWords(text: string): string {
  return OLD.reduce((words, [old, now]) => words.replace(old, now), text);
}

/** A sentence on a text that is in the words of version 0.1, for whoever keeps the file that holds it; none on others. */
export function saysOldWords(where: string, text: string): string[] {
  const now = inTodaysWords(text);
  if (now === text) return [];
  return [`${where} is in words of version 0.1, which the next version no longer reads: write "${now}".`];
}
