import {
  addRationals,
  divideRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
  toNumber,
} from '../base/rational.ts';
import type { Step } from '../plan/plan.ts';
import { countUpdatedEntries } from './memory.ts';

/** The three quantities of Li, Ranka and Sahni 2011: operations, device-memory transactions, bytes moved. */
export const quantities = ['arithmetics', 'transactions', 'volume'] as const;
export type Quantity = (typeof quantities)[number];

/** One value for each quantity. */
export type Costs<T> = Readonly<Record<Quantity, T>>;

/**
 * Computes the cost of steps on a machine from the steps themselves. A product reads its operands as the model says. Every block of a sum,
 * and every slot that a step loads or stores, is one pass over a block. The result is exact; transactions need not be whole.
 */
export function exactCost(steps: readonly Step[], machine: MachineModel = c1060): Costs<Rational> {
  const { arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries } = workOf(steps);
  const moved: readonly (readonly [number, Transfer])[] = [
    [productTermsA, machine.productReads.A],
    [productTermsB, machine.productReads.B],
    [epilogueEntries, machine.epiloguePass],
    [combineEntries, machine.combinePass],
  ];
  const total = (of: (transfer: Transfer) => number) =>
    moved.reduce(
      (sum, [count, transfer]) =>
        addRationals(sum, multiplyRationals(rational(count), rational(of(transfer), transfer.per))),
      rational(0),
    );
  return {
    arithmetics: rational(arithmetics),
    transactions: total(() => 1),
    volume: total(({ bytes }) => bytes),
  };
}

/** Computes {@link exactCost} in doubles. Volume is in bytes. */
export function cost(steps: readonly Step[], machine: MachineModel = c1060): Costs<number> {
  return eachQuantity(exactCost(steps, machine), toNumber);
}

/** Returns the percentage by which `costs` are below `baseline`; negative where they are above. Exact. */
export function reduction(costs: Costs<Rational>, baseline: Costs<Rational>): Costs<Rational> {
  return eachQuantity(costs, (value, quantity) =>
    multiplyRationals(
      rational(100),
      subtractRationals(rational(1), divideRationals(value, baseline[quantity])),
    ),
  );
}

/** Applies `map` to each quantity. */
export function eachQuantity<T, U>(costs: Costs<T>, map: (value: T, quantity: Quantity) => U): Costs<U> {
  const entries = quantities.map((quantity) => [quantity, map(costs[quantity], quantity)]);
  return Object.fromEntries(entries) as Costs<U>;
}

/** Operation counts of steps, in whole numbers. A machine model converts them to transactions and bytes. */
interface Work {
  /** Additions, subtractions and multiplications of entries. A change of sign does not count. */
  readonly arithmetics: number;
  /** Terms x·y of products, once for each block that the first factor sums: Σ m·k·n·W_A. */
  readonly productTermsA: number;
  /** The same for the second factor. */
  readonly productTermsB: number;
  /** Entries that multiply steps read or write besides their operands. */
  readonly epilogueEntries: number;
  /** Entries that combine steps read or write. */
  readonly combineEntries: number;
}

/**
 * Counts the work of steps. An m×k×n product has m·n·(2k − 1) arithmetics. An update has one for each entry, for each addition and each
 * factor other than ±1. A slot is one pass over its block when it is loaded and one when it is stored.
 *
 * In a factor that sums blocks, each addition counts once an entry, as in a sum that is stored. It is a matter of a kernel's blocking that
 * it repeats the addition for every block of C. Padding counts where the device computes it. Entries that the edge cuts off are not moved.
 * Counts are exact below 2^53, which holds for every plan that the compiler accepts.
 */
function workOf(steps: readonly Step[]): Work {
  let [arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries] = [0, 0, 0, 0, 0];
  for (const step of steps) {
    const entries = countUpdatedEntries(step);
    const moved = step.slots.reduce((sum, { load, store, window }) => {
      const size = window === undefined ? entries : window.rows * window.cols;
      return sum + size * (Number(load) + Number(store));
    }, 0);
    const scalings = step.slots.filter(({ times }) => times !== undefined).length;
    arithmetics += entries * (scalings + Number(step.kind === 'multiply' && step.times !== undefined));
    for (const { terms } of step.updates) arithmetics += entries * operationsOf(terms);
    if (step.kind === 'multiply') {
      const { m, k, n } = step.shape;
      const [xs, ys] = [step.x.length, step.y.length];
      arithmetics += m * n * (2 * k - 1) + operationsOf(step.x) * m * k + operationsOf(step.y) * k * n;
      productTermsA += m * k * n * xs;
      productTermsB += m * k * n * ys;
      epilogueEntries += moved;
    } else {
      combineEntries += moved;
    }
  }
  return { arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries };
}

/** Counts the additions of a sum, and the multiplications by factors other than ±1. */
function operationsOf(terms: readonly { readonly factor: number }[]): number {
  const factors = terms.filter(({ factor }) => Math.abs(factor) !== 1).length;
  return Math.max(0, terms.length - 1) + factors;
}

/** Transactions of one size. Each moves `bytes` and serves `per` entries (or, for a product, `per` terms). */
interface Transfer {
  readonly per: number;
  readonly bytes: number;
}

/** The transfers of kernels of one kind between device memory and multiprocessors. */
export interface MachineModel {
  readonly name: string;
  readonly title: string;
  /** The source of the numbers. */
  readonly source: string;
  /** Reads of A and of B by an m×k×n product, for each of its m·k·n terms x·y. */
  readonly productReads: { readonly A: Transfer; readonly B: Transfer };
  /** The transfer of one block read or written after a product, per entry: its result, and the blocks that it updates. */
  readonly epiloguePass: Transfer;
  /** The transfer of one block read or written by a sum of blocks, per entry. */
  readonly combinePass: Transfer;
}

/** The kernel GPU8 and the add and sub kernels on NVIDIA's Tesla C1060, binary32. */
export const c1060: MachineModel = {
  name: 'c1060',
  title: 'GPU8 on a Tesla C1060',
  source: 'Li, Ranka, Sahni 2011, sections 4 and 5, Figures 8 to 11',
  productReads: { A: { per: 4096, bytes: 128 }, B: { per: 256, bytes: 64 } },
  epiloguePass: { per: 16, bytes: 64 },
  combinePass: { per: 32, bytes: 128 },
};
