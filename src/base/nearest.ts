/** What a name is compared by: options without the dashes that all of them have. Callers without types may give anything. */
const bare = (name: string) => String(name).toLowerCase().replace(/^--?/, '');

/** A name of which as much is written is not misspelt but cut short. */
const BEGUN = 3;
/** The share of a name's letters that may be wrong. */
const WRONG = 0.4;

/** The known name that begins as the one given, else the closest one, unless more than two letters in five, and one, are wrong. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const text = bare(given);
  const ranked = byDistance(given, known);
  const begun = text.length < BEGUN ? undefined : ranked.find((name) => bare(name).startsWith(text));
  const [first] = ranked;
  if (begun !== undefined || first === undefined) return begun;
  return editDistance(text, bare(first)) <= Math.max(1, Math.floor(WRONG * text.length)) ? first : undefined;
}

/** How a clause on a name that is not known ends: the one that was meant, or those that there are. */
export function hintOf(given: string, known: readonly string[]): string {
  const near = nearest(given, known);
  return near === undefined ? `; known are ${known.join(', ')}` : `; did you mean "${near}"?`;
}

/** Known names, the closest to the one given first. */
export function byDistance(given: string, known: readonly string[]): string[] {
  const ranked = known.map((name) => ({ name, distance: editDistance(bare(given), bare(name)) }));
  return ranked.sort((x, y) => x.distance - y.distance).map(({ name }) => name);
}

/** Letters to change, add, leave out or swap with their neighbours (optimal string alignment). */
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
