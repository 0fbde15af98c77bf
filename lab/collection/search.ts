import type { BilinearTable } from '../../src/algorithms/bilinear-table.ts';
import { createRandom } from '../../src/base/random.ts';
import { type Draft, flip, type StepLimits, shear } from './neighbours.ts';

/** Quantities to minimize. */
export const aims = ['growth', 'norms', 'additions'] as const;
export type Aim = (typeof aims)[number];

/** Options of a walk. */
export interface WalkOptions extends StepLimits {
  readonly aim: Aim;
  readonly steps: number;
  readonly seed: number;
  /** The fraction of steps that are flips; the others change the basis. */
  readonly flips: number;
}

/** The first and the last temperature of a walk, in units of the logarithm of the minimized quantity. */
const [HOT, COLD] = [0.06, 0.001];

/**
 * Searches by simulated annealing: walks from a table to others of as many products, by flips and changes of basis. The same seed
 * gives the same walk. @returns the best table
 */
export function search(
  from: BilinearTable,
  { aim, steps, seed, flips, ...allowed }: WalkOptions,
): BilinearTable {
  const random = createRandom(seed);
  const copy = (rows: BilinearTable['u']) => rows.map((row) => [...row]);
  const draft: Draft = { base: from.base, parts: [copy(from.u), copy(from.v), copy(from.w)] };
  const cost = costs[aim];
  let now = cost(draft);
  let best = { cost: now, table: tableOf(draft) };
  for (let step = 0; step < steps; step++) {
    const undo = random.uniform01() < flips ? flip(draft, random, allowed) : shear(draft, random, allowed);
    if (undo === undefined) continue;
    const next = cost(draft);
    const heat = HOT * (COLD / HOT) ** (step / steps);
    if (next > now && random.uniform01() >= Math.exp((now - next) / heat)) {
      undo();
      continue;
    }
    now = next;
    if (now < best.cost - 1e-12) best = { cost: now, table: tableOf(draft) };
  }
  return best.table;
}

const tableOf = ({ base, parts }: Draft): BilinearTable => {
  const [u, v, w] = parts.map((rows) => rows.map((row) => [...row]));
  return { base, u, v, w };
};

/** The power of a power mean of growths: close to the maximum, but sensitive to the others. */
const POWER = 12;

/** Costs: the logarithm of the minimized quantity. */
const costs: Readonly<Record<Aim, (draft: Draft) => number>> = {
  growth({ parts: [u, v, w] }) {
    const growth = new Array<number>(w[0].length).fill(0);
    for (const [r, row] of w.entries()) {
      const factor = norm1(u[r]) * norm1(v[r]);
      for (const [c, value] of row.entries()) if (value !== 0) growth[c] += Math.abs(value) * factor;
    }
    const most = Math.max(...growth);
    const sum = growth.reduce((all, one) => all + (one / most) ** POWER, 0);
    return Math.log(most) + Math.log(sum) / POWER;
  },
  norms: ({ parts: [u, v, w] }) =>
    Math.log(u.reduce((sum, row, r) => sum + norm2(row) * norm2(v[r]) * norm2(w[r]), 0)),
  additions: ({ parts }) =>
    Math.log(parts.flat().reduce((sum, row) => sum + row.reduce((all, x) => all + (x === 0 ? 0 : 1), 0), 0)),
};

const norm1 = (row: readonly number[]): number => row.reduce((sum, x) => sum + Math.abs(x), 0);
const norm2 = (row: readonly number[]): number => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
