import { columnsAfter, type Epilogue } from '../../epilogue/chain.ts';
import { doubleReals } from '../../epilogue/double-reals.ts';
import { type EntryReader, exactResults, possibleResults } from '../../epilogue/evaluate.ts';
import {
  above,
  addDown,
  addUp,
  arithmeticOf,
  below,
  type Interval,
  isOnlyNaN,
  onlyNaN,
} from '../../epilogue/interval.ts';
import { formatTarget, type Target } from '../../epilogue/target.ts';
import { builtinCaseItems, type CaseItems } from '../../kernels/case-items.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { type Format, isWholeFormat } from '../../precision/format.ts';
import type { Analysis } from '../../readers/analysis.ts';
import { upToSums } from '../../readers/result-rounding.ts';
import { whyMayRound } from '../checks/exactness.ts';
import type { Reference } from '../compared.ts';
import { compareEntries, MOST_OF_RANGE } from '../entry-errors.ts';
import type { Evidence, WeighingInput } from '../evidence.ts';
import { EFFORT, givenJob } from '../given-product.ts';
import { isLarge } from '../is-large.ts';
import type { ComparisonEffort, ExactMultiply } from '../reference.ts';
import { analysisOf, weigh } from '../weigh.ts';
import { wholeReference } from '../whole-reference.ts';
import { type GivenWithEpilogue, type SplitProduct, splitProduct } from './product-with-epilogue.ts';

/** A product with an epilogue, and what its entries may be. */
export interface WeighedEpilogue {
  /** D with its exact values, for descriptions and pictures. */
  readonly evidence: Evidence;
  readonly epilogue: Epilogue;
  /** The rule of results. */
  readonly target: Target;
  /** The size below which entries of D count as 0, where bounds are compared with them. */
  readonly least: number;
  /** The possible entries of D, and its exact value, if activations returned their argument. */
  readonly passing: Pick<WeighedEpilogue, 'possible' | 'exact'>;
  /** The compared entries of D, ascending. */
  readonly places: ArrayLike<number>;
  /** Returns the exact sum of an entry of the product; rows of a batch lie one below the other. */
  readonly product: ProductReading;
  /** Encloses what an entry of D may be before it becomes a result; undefined where nothing bounds it. */
  possible(place: number): Interval | undefined;
  /**
   * Encloses what an entry of D may be with other steps, as {@link WeighedEpilogue.possible}.
   * @param added returns what is added to the sum of an entry. @defaultValue 0
   */
  possibleWith(
    epilogue: Epilogue,
    place: number,
    added?: (i: number, j: number) => number,
  ): Interval | undefined;
  /** Encloses the exact value of an entry of D. */
  exact(place: number): Interval;
  readonly found: Matrix;
}

/** Readings of the exact product and of the sums that a correct kernel may have. */
export interface ProductReading {
  /** The index of an entry in the reference; undefined if it is not known. */
  at(i: number, j: number): number | undefined;
  readonly reference: Reference;
  /** True if the first step is part of the reference. */
  readonly isFolded: boolean;
  /** The number that the first step adds to an entry, where it is part of the reference. */
  addend(i: number, j: number): number;
}

type Job = WeighingInput & { readonly gemm: Gemm };

/** The sums of a product with their bounds. */
export interface WeighedSums {
  readonly reference: Reference;
  readonly analysis: Analysis;
}

/**
 * Weighs a given product with an epilogue: every entry, or for large products the entries of a sample. Random projections of all entries
 * do not pass a nonlinear function.
 * @param stored the format of D, if its file says so. @defaultValue that of the precision
 * @throws ParanoiaError as {@link splitProduct} and {@link givenJob}
 */
export async function weighEpilogue(
  given: GivenWithEpilogue,
  exact: ExactMultiply,
  {
    items = builtinCaseItems,
    stored,
  }: { readonly items?: CaseItems; readonly stored?: Format | undefined } = {},
): Promise<WeighedEpilogue> {
  const split = splitProduct(given, items);
  const job = givenJob(split.product, items);
  return weighResults(given, split, job, await sumsWithBounds(split.whole, job, exact, EFFORT), stored);
}

/** Computes the exact sums of a product and the errors that they may have: of every entry, or of a sample of a large one. */
export async function sumsWithBounds(
  whole: Epilogue,
  job: Job,
  exact: ExactMultiply,
  effort: ComparisonEffort,
): Promise<WeighedSums> {
  const sums = { ...job, kernel: upToSums(job.kernel) };
  if (!isLarge(job, effort)) return compareEntries(sums, exact);
  const { compareSample } = await import('../large.ts');
  return compareSample(sums, partnersOf(whole));
}

/** Weighs a given product with an epilogue in this thread, every entry. @throws ParanoiaError as {@link weighEpilogue} */
export function weighWholeEpilogue(given: GivenWithEpilogue, items: CaseItems): WeighedEpilogue {
  const split = splitProduct(given, items);
  const job = givenJob(split.product, items);
  return weighResults(given, split, job, wholeSums(job), undefined);
}

/** Computes the exact sums of a product and the errors that they may have, of every entry, in this thread. */
export const wholeSums = (job: Job): WeighedSums => ({
  reference: wholeReference(job.operands, job.gemm),
  analysis: analysisOf({ ...job, kernel: upToSums(job.kernel) }),
});

/** Returns the columns that gates need with others: those at the same place of the other half. */
const partnersOf =
  ({ steps, sizes }: Epilogue) =>
  (cols: readonly number[]): readonly number[] => {
    const count = steps.filter(({ record }) => record.isGate === true).length;
    const width = sizes.n / 2 ** count;
    const all = cols.flatMap((j) =>
      Array.from({ length: 2 ** count }, (_, half) => (j % width) + half * width),
    );
    return [...new Set(all)];
  };

export function weighResults(
  { d, seed }: Pick<GivenWithEpilogue, 'd' | 'seed'>,
  {
    rest,
    whole,
    isFolded,
    product: { c },
  }: Pick<SplitProduct, 'rest' | 'whole' | 'isFolded'> & {
    readonly product: Pick<GivenWithEpilogue, 'c'>;
  },
  job: Job,
  sums: WeighedSums,
  stored: Format | undefined,
): WeighedEpilogue {
  const { kernel, gemm } = job;
  const { reference } = sums;
  const arithmetic = arithmeticOf(kernel);
  const target = targetOf(whole, job, stored ?? arithmetic.format, stored);
  const at = indexIn(reference, gemm.n);
  const addend = (i: number, j: number) => (isFolded && c !== undefined ? c.data[i * gemm.n + j] : 0);
  const sumOf = sumsOf(job, sums);
  const unknown: Interval = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
  const summed: EntryReader<number> = (i, j) => sumOf(at(i, j)) ?? unknown;
  const bare: EntryReader<number> = (i, j) => shifted(summed(i, j), -addend(i, j));
  const ideal: EntryReader<number> = (i, j) => exactSum(reference, at(i, j) as number);
  const n = columnsAfter(whole);
  const isKnown = (i: number, j: number) =>
    neededColumns(j, n, gemm.n).every((col) => sumOf(at(i, col)) !== undefined);
  const read = <T>(of: EntryReader<T>, place: number) => of(Math.floor(place / n), place % n);
  const readingOf = (steps: Epilogue): WeighedEpilogue['passing'] => {
    const possible = possibleResults(steps, arithmetic, summed);
    const exact = exactResults(steps, doubleReals, ideal);
    return {
      possible: (place) => (isKnown(Math.floor(place / n), place % n) ? read(possible, place) : undefined),
      exact: (place) => read(exact, place),
    };
  };
  const own = readingOf(rest);
  const places = comparedPlaces(reference, at, d, gemm.n, n);
  const results = exactReference(job, reference, places, d, own.exact, target);
  const jobOfD = { ...job, gemm: { ...gemm, n }, operands: { ...job.operands, seed: seed ?? 1 } };
  const outcome = { c: d, unwritten: 0, overwritten: 0 };
  return {
    evidence: weigh(jobOfD, [outcome], { reference: results }),
    ...{ epilogue: whole, target, places, found: d },
    least: Math.min(FLUSHED * arithmetic.format.minNormal, arithmetic.unit),
    passing: readingOf(withoutActivations(rest)),
    product: { at, reference, isFolded, addend },
    ...own,
    possibleWith(other, place, added = () => 0) {
      let isRead = true;
      const sum: EntryReader<number> = (i, j) => {
        isRead &&= sumOf(at(i, j)) !== undefined;
        return shifted(bare(i, j), added(i, j));
      };
      const found = read(possibleResults(other, arithmetic, sum), place);
      return isRead ? found : undefined;
    },
  };
}

/** Returns an epilogue whose activations, those of gates included, return their argument. */
const withoutActivations = ({ steps, ...epilogue }: Epilogue): Epilogue => ({
  ...epilogue,
  steps: steps.map((step) =>
    step.record.isActivation === true
      ? { ...step, run: { at: (x) => x, shape: 'monotonic', rounds: false } }
      : step,
  ),
});

/** Returns the rule of results: that of the last step, or rounding to the format of D. */
function targetOf(
  { steps }: Epilogue,
  { kernel }: Job,
  otherwise: Format,
  stored: Format | undefined,
): Target {
  const last = steps.at(-1)?.run.target;
  if (last !== undefined) return last;
  const { d } = kernel.precision;
  return formatTarget(stored ?? (isWholeFormat(d) ? otherwise : d), kernel.result);
}

/** Returns the index in a reference of an entry of the product. */
function indexIn({ at }: Reference, n: number): ProductReading['at'] {
  if (at === undefined) return (i, j) => i * n + j;
  const known = new Map(Array.from(at, (place, t) => [place, t]));
  return (i, j) => known.get(i * n + j);
}

/** Returns the columns of the product on which column j of D depends. */
const neededColumns = (j: number, n: number, all: number): number[] =>
  Array.from({ length: all / n }, (_, half) => j + half * n);

function comparedPlaces(
  reference: Reference,
  at: ProductReading['at'],
  d: Matrix,
  all: number,
  n: number,
): ArrayLike<number> {
  if (reference.at === undefined) return Array.from(d.data.keys());
  return Array.from(reference.at, (place) => [Math.floor(place / all), place % all] as const)
    .filter(([i, j]) => j < n && neededColumns(j, n, all).every((col) => at(i, col) !== undefined))
    .map(([i, j]) => i * n + j);
}

/** Functions may leave errors of so many times the least normal number, since they flush. */
const FLUSHED = 2 ** 20;

/** Returns what the sum of an entry may be by its index; undefined where nothing bounds it. */
function sumsOf({ kernel, plan, operands, gemm }: Job, { reference, analysis }: WeighedSums) {
  const { value, low, size, certificate } = reference;
  const facts = { operands, plan, gemm, claims: { ...kernel.claims, algorithm: kernel.algorithm } };
  const isExact = whyMayRound({ ...facts, machine: upToSums(kernel) }) === undefined;
  const { accumulated } = kernel.precision;
  const largest = accumulated.maxFinite * (isWholeFormat(accumulated) ? 1 : MOST_OF_RANGE);
  return (t: number | undefined): Interval | undefined => {
    if (t === undefined) return undefined;
    const exact = value[t];
    // Sums of blocks turn infinities of an entry into NaN.
    if (!Number.isFinite(exact) && plan.levels > 0) return undefined;
    if (Number.isNaN(exact)) return onlyNaN;
    if (!Number.isFinite(exact)) return { lo: exact, hi: exact };
    const bound = isExact ? 0 : analysis.bound.data[t] + certificate.worstAbsolute;
    if (!Number.isFinite(bound) || !(size[t] < largest)) return undefined;
    return around(exact, low[t], bound);
  };
}

/** Encloses value + low, and the numbers within a bound of them. The low part may be rounded. */
function around(value: number, low: number, bound: number): Interval {
  const [least, most] = low === 0 ? [0, 0] : [below(low), above(low)];
  return { lo: addDown(addDown(value, -bound), least), hi: addUp(addUp(value, bound), most) };
}

function exactSum({ value, low, certificate }: Reference, t: number): Interval {
  if (Number.isNaN(value[t])) return onlyNaN;
  if (!Number.isFinite(value[t])) return { lo: value[t], hi: value[t] };
  return around(value[t], low[t], low[t] === 0 ? 0 : certificate.worstAbsolute);
}

const shifted = (x: Interval, by: number): Interval =>
  by === 0 || isOnlyNaN(x) ? x : { ...x, lo: addDown(x.lo, by), hi: addUp(x.hi, by) };

/** Returns the exact entries of D as a reference, results of codes as codes. */
function exactReference(
  { gemm }: Job,
  product: Reference,
  places: ArrayLike<number>,
  d: Matrix,
  exact: (place: number) => Interval,
  target: Target,
): Reference {
  const value = Float64Array.from(places, (place) => {
    const { lo, hi } = exact(place);
    const middle = lo === hi ? lo : lo / 2 + hi / 2;
    return target.steps === undefined ? middle : target.result(middle);
  });
  const checked = places.length / (gemm.m * gemm.batch * d.cols);
  return {
    ...{ value, low: new Float64Array(value.length), size: value.map((x) => Math.abs(x) || 1), checked },
    ...(checked === 1 ? {} : { at: Float64Array.from(places) }),
    ...{ certificate: product.certificate, norms: product.norms },
  };
}
