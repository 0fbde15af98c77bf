/** A range of indices from the first to the last, both included. */
export type IndexRange = readonly [from: number, to: number];

const MOST = 32_768;

/** Reads "0-4.7": 0 to 4, and 7. Undefined for any other text. */
export function parseRanges(text: string): IndexRange[] | undefined {
  const ranges: IndexRange[] = [];
  for (const part of text.split('.')) {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (found === null) return undefined;
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    if (from > to || to >= MOST) return undefined;
    ranges.push([from, to]);
  }
  return ranges;
}

/** Formats ranges as text that {@link parseRanges} reads. */
export function formatRanges(ranges: readonly IndexRange[]): string {
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join('.');
}

/** Returns every index once, in ascending order. */
export function indicesOf(ranges: readonly IndexRange[]): number[] {
  const all = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  return [...new Set(all)].sort((x, y) => x - y);
}

/** Returns the fewest ranges that hold these indices. */
export function findRanges(indices: readonly number[]): IndexRange[] {
  const ranges: [number, number][] = [];
  for (const at of [...new Set(indices)].sort((x, y) => x - y)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else ranges.push([at, at]);
  }
  return ranges;
}
