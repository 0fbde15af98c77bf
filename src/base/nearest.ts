/** What a name is compared by: options without the dashes that all of them have. Callers without types may give anything. */
const bare = (name: string) => String(name).toLowerCase().replace(/^--?/, '');

/** The known name closest to the one given (Levenshtein distance at most half its length), if any. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const text = bare(given);
  const [first] = byDistance(given, known);
  const limit = Math.max(1, Math.floor(text.length / 2));
  return first !== undefined && editDistance(text, bare(first)) <= limit ? first : undefined;
}

/** Known names, the closest to the one given first. */
export function byDistance(given: string, known: readonly string[]): string[] {
  const ranked = known.map((name) => ({ name, distance: editDistance(bare(given), bare(name)) }));
  return ranked.sort((x, y) => x.distance - y.distance).map(({ name }) => name);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, swap);
    }
    row = next;
  }
  return row[b.length];
}
