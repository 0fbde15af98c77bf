import type { TableReport } from './report.ts';

/** Costs of a table that a figure may have on an axis; smaller is better for all. */
export const costs = {
  exponent: {
    label: 'exponent ω₀ of the block products',
    of: ({ figures }: TableReport) => figures.exponent,
  },
  additions: {
    label: 'block additions (common sums shared) per block of A, B and C',
    of: ({ base: { m, k, n }, figures }: TableReport) => figures.sharedAdditions / (m * k + k * n + m * n),
  },
} as const;
export type Cost = keyof typeof costs;

/** Losses of a table in the mean error. */
export const losses = {
  first: { label: 'bits lost at one level', of: ({ lost }: TableReport) => lost?.first },
  perDoubling: {
    label: 'bits lost per doubling of n',
    of: ({ lost }: TableReport) => lost?.perDoubling,
  },
} as const;
export type Loss = keyof typeof losses;

/** A measured table and its place in a figure. */
export interface FrontPoint {
  readonly table: TableReport;
  readonly cost: number;
  readonly loss: number;
}

/** Fast tables that were measured, with their places. */
export const listFrontPoints = (tables: readonly TableReport[], cost: Cost, loss: Loss): FrontPoint[] =>
  tables.flatMap((table) => {
    const found = losses[loss].of(table);
    return table.origin === 'classical' || found === undefined
      ? []
      : [{ table, cost: costs[cost].of(table), loss: found }];
  });

/** The Pareto front, the cheapest table first: no other table costs and loses as little, and less in one of the two. */
export function frontOf(all: readonly FrontPoint[]): FrontPoint[] {
  const isBeaten = (one: FrontPoint) =>
    all.some(
      ({ cost, loss }) => cost <= one.cost && loss <= one.loss && (cost < one.cost || loss < one.loss),
    );
  return all.filter((one) => !isBeaten(one)).sort((x, y) => x.cost - y.cost || x.loss - y.loss);
}
