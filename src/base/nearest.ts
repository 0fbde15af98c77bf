/** Normalizes a name for comparison: without the dashes that all options have. Callers without types may pass anything. */
const bare = (name: string) => String(name).toLowerCase().replace(/^--?/, '');

/** Prefixes of at least this length are abbreviations. */
const BEGUN = 3;
/** Largest share of wrong letters in a name. */
const WRONG = 0.4;

/**
 * Returns the known name with the given prefix, else the closest one. Undefined if more than two letters in five, and more than one, are
 * wrong.
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const text = bare(given);
  const ranked = byDistance(given, known);
  const begun = text.length < BEGUN ? undefined : ranked.find((name) => bare(name).startsWith(text));
  const [first] = ranked;
  if (begun !== undefined || first === undefined) return begun;
  return editDistance(text, bare(first)) <= Math.max(1, Math.floor(WRONG * text.length)) ? first : undefined;
}

/** Returns the end of a clause on an unknown name: the likely name, or the list of known ones. */
export function hintOf(given: string, known: readonly string[]): string {
  const near = nearest(given, known);
  return near === undefined ? `; known are ${known.join(', ')}` : `; did you mean "${near}"?`;
}

/** Sorts known names by distance from the given one, the closest first. */
export function byDistance(given: string, known: readonly string[]): string[] {
  const ranked = known.map((name) => ({ name, distance: editDistance(bare(given), bare(name)) }));
  return ranked.sort((x, y) => x.distance - y.distance).map(({ name }) => name);
}

/** Counts the letters to change, add, leave out or swap with their neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2] + 1 : change;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, change, swap);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
