import { type BlockPosition, blockName } from '../algorithms/algorithm.ts';
import { badNumber } from '../base/messages.ts';
import type { Fringe } from '../problem/method.ts';
import type { Plan } from './plan.ts';

/** Levels that split C alike: `levels` times into rows×cols blocks each. The remainder is padded or peeled off. */
export interface BlockSplit {
  readonly rows: number;
  readonly cols: number;
  readonly levels: number;
  readonly fringe: Fringe;
}

/** The end of a path in remaining rows or columns. */
export type FringePart = 'right fringe' | 'bottom fringe';

/** Returns the splits of C, the outermost levels first. Fused levels pad, whatever the levels above them do. */
export function cutsOf({
  algorithm,
  levels,
  fringe,
  fused,
}: Pick<Plan, 'algorithm' | 'levels' | 'fringe' | 'fused'>): BlockSplit[] {
  const { m: rows, n: cols } = algorithm.base;
  const inner = fused?.levels ?? 0;
  const cuts: BlockSplit[] = [
    { rows, cols, levels: levels - inner, fringe },
    { rows, cols, levels: inner, fringe: 'pad' },
  ];
  return cuts.filter(({ levels }) => levels > 0);
}

/**
 * Returns the path of an entry of C in the recursion of a plan: the position of its block at each level, the outermost first, or the
 * fringe there.
 * @param i row, from 0 to m − 1.
 * @param j column, from 0 to n − 1.
 * @throws ParanoiaError `bad-number` if the entry is outside C.
 */
export function pathOfEntry(i: number, j: number, plan: Plan): (BlockPosition | FringePart)[] {
  return pathIn(i, j, plan.shape, cutsOf(plan));
}

/** Formats a path in words: `C21/C12`; `C` without levels. */
export function pathName(positions: readonly (BlockPosition | FringePart)[]): string {
  const names = positions.map((one) => (typeof one === 'string' ? one : blockName('C', one.row, one.col)));
  return names.length === 0 ? 'C' : names.join('/');
}

/** Returns the {@link pathOfEntry} of an entry of an m×n matrix with given splits, down to a level. @throws ParanoiaError `bad-number` */
export function pathIn(
  i: number,
  j: number,
  { m, n }: { readonly m: number; readonly n: number },
  cuts: readonly BlockSplit[],
  depth = Number.POSITIVE_INFINITY,
): (BlockPosition | FringePart)[] {
  for (const [what, given, limit] of [
    ['The row', i, m - 1],
    ['The column', j, n - 1],
  ] as const) {
    if (!Number.isInteger(given) || given < 0 || given > limit) {
      throw badNumber({ what, given, need: `a whole number from 0 to ${limit}` });
    }
  }
  const found: (BlockPosition | FringePart)[] = [];
  const [down, across] = [partsOf(m, cuts, 'rows'), partsOf(n, cuts, 'cols')];
  let [row, col] = [i, j];
  for (let level = 0; level < Math.min(depth, down.length); level++) {
    const [height, width] = [down[level], across[level]];
    if (col >= width.part * width.parts) return [...found, 'right fringe'];
    if (row >= height.part * height.parts) return [...found, 'bottom fringe'];
    found.push({ row: Math.floor(row / height.part), col: Math.floor(col / width.part) });
    row %= height.part;
    col %= width.part;
  }
  return found;
}

/** Returns the number of levels that split a matrix. */
export const countLevels = (cuts: readonly BlockSplit[]): number =>
  cuts.reduce((sum, { levels }) => sum + levels, 0);

/** Returns the positions where a dimension is split down to a level, counted from 1: the first entries of blocks and of fringes. */
export function cutPositions(
  size: number,
  cuts: readonly BlockSplit[],
  side: 'rows' | 'cols',
  level: number,
): number[] {
  const found = new Set<number>();
  let [starts, whole] = [[0], size];
  for (const { part, parts } of partsOf(size, cuts, side).slice(0, level)) {
    const within = Array.from({ length: parts }, (_, at) => at * part);
    const ends = part * parts < whole ? [part * parts] : [];
    for (const start of starts) for (const at of [...within, ...ends]) found.add(start + at);
    starts = starts.flatMap((start) => within.map((at) => start + at));
    whole = part;
  }
  return [...found].filter((at) => at > 0 && at < size).sort((x, y) => x - y);
}

/** Returns the rows (columns) of a block at each level, and the number of blocks. */
function partsOf(
  size: number,
  cuts: readonly BlockSplit[],
  side: 'rows' | 'cols',
): { readonly part: number; readonly parts: number }[] {
  let here = size;
  return cuts.flatMap((cut) => {
    const parts = cut[side];
    const leaf = Math.ceil(here / parts ** cut.levels);
    return Array.from({ length: cut.levels }, (_, level) => {
      here = cut.fringe === 'pad' ? leaf * parts ** (cut.levels - level - 1) : Math.floor(here / parts);
      return { part: here, parts };
    });
  });
}
