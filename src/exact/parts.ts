import type { Shape } from '../matrix/dense.ts';
import { createUniform, pickOneOfEach } from './sampled.ts';

/** A part of a product: the entries where these rows and columns meet. Absent rows or columns stand for all. */
export interface ProductPart {
  /** The index of the product in its batch. */
  readonly member: number;
  readonly rows?: readonly number[];
  readonly cols?: readonly number[];
}

/** The number of chosen parts of each kind. */
export interface PartCounts {
  readonly rows: number;
  readonly cols: number;
  readonly tiles: number;
  readonly entries: number;
}

/** Lines that deserve a part of their own, such as those with NaN. */
export interface DistinctiveLines {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
}

/** The side of a tile, the smaller side for long sums, and the number of terms from which sums are long. */
const [TILE, SMALL_TILE, LONG] = [16, 8, 2 ** 13];
/** Single entries: the number of groups, and the rows and columns that cross in each. */
const [GROUPS, CROSSING] = [40, 5];
/** The most whole rows, and the most whole columns; the fewest and the most tiles. */
const MOST_LINES = 4;
const [FEWEST_TILES, MOST_TILES] = [16, 64];
/** The products of entries that the rows, columns or tiles may cost each, beyond the fewest. */
const COST = 2 ** 24;

/**
 * Chooses the parts of a large product that are computed exactly: whole rows, whole columns, square tiles and 1000 single entries. Tiles
 * lie in the corners, along the edges, across multiples of powers of two and halves, and anywhere. Single entries lie where random rows
 * and columns, one from each of several equal ranges, cross. In a batch, each part lies in one of its products.
 * @param telling rows and columns of which one each is added.
 */
export function chooseParts(
  { m, k, n }: Shape,
  batch: number,
  seed: number,
  telling: DistinctiveLines = { rows: [], cols: [] },
): { parts: ProductPart[]; counts: PartCounts } {
  const next = createUniform(seed);
  const below = (size: number) => Math.floor(next() * size);
  const within = (cost: number, fewest: number, most: number) =>
    Math.max(fewest, Math.min(most, Math.floor(COST / Math.max(1, cost))));
  const lines = (size: number, cost: number, own: readonly number[]) => [
    ...pickOneOfEach(size, within(cost, 1, MOST_LINES), next),
    ...(own.length === 0 ? [] : [own[below(own.length)]]),
  ];
  const [rows, cols] = [lines(batch * m, k * n, telling.rows), lines(batch * n, k * m, telling.cols)];
  const side = k > LONG ? SMALL_TILE : TILE;
  const tiles = within(side * side * k, FEWEST_TILES, MOST_TILES);
  const groups = Array.from({ length: GROUPS }, () => ({
    member: below(batch),
    rows: pickOneOfEach(m, CROSSING, next),
    cols: pickOneOfEach(n, CROSSING, next),
  }));
  return {
    parts: [
      ...byMember(rows, m).map(([member, rows]) => ({ member, rows })),
      ...byMember(cols, n).map(([member, cols]) => ({ member, cols })),
      ...Array.from({ length: tiles }, (_, at) => ({
        member: below(batch),
        rows: stretch(m, side, at % KINDS, below),
        cols: stretch(n, side, Math.floor(at / KINDS) % KINDS, below),
      })),
      ...groups,
    ],
    counts: {
      rows: rows.length,
      cols: cols.length,
      tiles,
      entries: GROUPS * Math.min(CROSSING, m) * Math.min(CROSSING, n),
    },
  };
}

/**
 * Groups lines by their product in the batch.
 * @param size lines of each product.
 */
function byMember(lines: readonly number[], size: number): [member: number, lines: number[]][] {
  const members = new Map<number, number[]>();
  for (const line of new Set(lines)) {
    const member = Math.floor(line / size);
    members.set(member, [...(members.get(member) ?? []), line % size]);
  }
  return [...members];
}

/** The number of places for the side of a tile: first, last, anywhere, or across a boundary. */
const KINDS = 4;

function stretch(size: number, side: number, kind: number, below: (size: number) => number): number[] {
  const length = Math.min(side, size);
  const last = size - length;
  const boundary = () => {
    const step = below(3) === 0 ? Math.ceil(size / 2) : 2 ** (4 + below(6));
    return step * (1 + below(Math.max(1, Math.floor(size / step)))) - side / 2;
  };
  const from = [() => 0, () => last, () => below(last + 1), boundary][kind]();
  const first = Math.max(0, Math.min(last, from));
  return Array.from({ length }, (_, at) => first + at);
}
