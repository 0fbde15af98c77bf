import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { sharedGrowth } from '../../src/algorithms/growth.ts';
import { defaultInputs } from '../../src/gate/campaign.ts';
import { findInput } from '../../src/inputs/inputs.ts';
import { claimedAlgorithmFor } from '../../src/kernels/claims.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { type PowerFault, type PowerGroup, powerGroups } from './faults.ts';
import { PowerProduct } from './product.ts';

/** The result for one fault at one size. */
export interface PowerCell {
  readonly fault: string;
  readonly k: number;
  /** The number of entries of C. */
  readonly entries: number;
  readonly inputs: 'uniform' | 'gate';
  /** The number of faulty products, each with its own seed. */
  readonly seeds: number;
  /** The smallest size that is detected with every seed, if any; or the fraction of places. */
  readonly found: number | undefined;
  /** The result as the table shows it. */
  readonly said: string;
}

/** Sizes in multiplications above which products have one seed, and above which only uniform entries. */
const SEVERAL = 2 ** 18;
const EVERY_FAMILY = 2 ** 24;
const SEEDS = 3;

/** Options of {@link measurePower}. */
export interface PowerOptions {
  /** The most multiplications of a product; larger ones are left out. @defaultValue no limit */
  readonly most?: number;
  readonly onCell?: (cell: PowerCell) => void;
  /** Called between products: true ends the run with the finished cells. */
  readonly stop?: () => boolean;
}

/** Measures the smallest faults that the gate's checks detect, on uniform entries and over the families of the default gate. */
export async function measurePower({
  most = Number.POSITIVE_INFINITY,
  onCell,
  stop,
}: PowerOptions = {}): Promise<PowerCell[]> {
  const cells: PowerCell[] = [];
  for (const group of powerGroups) {
    for (const shape of group.shapes.filter(({ m, k, n }) => m * k * n <= most)) {
      if (stop?.() === true) return cells;
      for (const cell of await cellsOf(group, shape)) {
        cells.push(cell);
        onCell?.(cell);
      }
      // Gives signals a turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return cells;
}

/** Measures the faults of a group on the same products. */
async function cellsOf(group: PowerGroup, shape: Shape): Promise<PowerCell[]> {
  const products = shape.m * shape.k * shape.n;
  const seeds = products <= SEVERAL ? SEEDS : 1;
  const cells: PowerCell[] = [];
  for (const inputs of ['uniform', 'gate'] as const) {
    if (inputs === 'gate' && products > EVERY_FAMILY) continue;
    const made = await productsOf(group, shape, inputs, seeds);
    for (const fault of group.faults) {
      const found = fault.asks === 'smallest' ? await smallestOf(fault, made) : await shareOf(fault, made);
      const said =
        fault.asks === 'share'
          ? shareText(fault, found ?? 0)
          : found === undefined
            ? 'none'
            : (fault.say?.(found) ?? `${found}`);
      cells.push({ fault: fault.name, k: shape.k, entries: shape.m * shape.n, inputs, seeds, found, said });
    }
  }
  return cells;
}

/** Makes the products of each family, for each seed. */
async function productsOf(
  { precision, claims }: PowerGroup,
  shape: Shape,
  inputs: PowerCell['inputs'],
  seeds: number,
): Promise<PowerProduct[][]> {
  const { algorithm, levels } = claimedAlgorithmFor(claims, shape);
  const growth = sharedGrowth(findAlgorithm(algorithm));
  const limits = { ...shape, levels, growth, precision: precisions.find(precision) };
  const families = (inputs === 'uniform' ? ['uniform'] : defaultInputs).filter(
    (name) => findInput(name).accepts(limits).ok,
  );
  const made: PowerProduct[][] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    made.push([]);
    for (const input of families)
      made[seed - 1].push(await PowerProduct.of({ shape, precision, input, seed, claims }));
  }
  return made;
}

async function isSeen(fault: PowerFault, size: number, families: readonly PowerProduct[]): Promise<boolean> {
  for (const product of families) if (await product.fails(fault.spoil(product, size))) return true;
  return false;
}

/** Finds the smallest size that is detected with every seed, by bisection: larger sizes are detected too. */
async function smallestOf(fault: PowerFault, made: readonly PowerProduct[][]): Promise<number | undefined> {
  const isSeenByAll = async (size: number) => {
    for (const families of made) if (!(await isSeen(fault, size, families))) return false;
    return true;
  };
  let [missed, seen] = [-1, fault.sizes.length];
  while (seen - missed > 1) {
    const middle = (missed + seen) >> 1;
    if (await isSeenByAll(fault.sizes[middle])) seen = middle;
    else missed = middle;
  }
  return fault.sizes[seen];
}

async function shareOf(fault: PowerFault, made: readonly PowerProduct[][]): Promise<number> {
  let seen = 0;
  for (const families of made)
    for (const size of fault.sizes) if (await isSeen(fault, size, families)) seen++;
  return seen / (made.length * fault.sizes.length);
}

/** The result for one place, as detected or not; for several places the fraction. */
const shareText = ({ sizes }: PowerFault, share: number): string =>
  sizes.length === 1
    ? share === 1
      ? 'detected'
      : share === 0
        ? 'missed'
        : 'sometimes'
    : `${Math.floor(100 * share)} %`;
