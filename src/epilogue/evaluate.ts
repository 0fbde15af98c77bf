import { exponentOf } from '../base/binary64.ts';
import { lookUp } from '../base/objects.ts';
import { accuracies } from './accuracies.ts';
import type { ChainStep, Epilogue } from './chain.ts';
import { doubleReals } from './double-reals.ts';
import { type EntryNumbers, numberAt } from './entry-numbers.ts';
import {
  addDown,
  addUp,
  type EpilogueArithmetic,
  hull,
  type Interval,
  isOnlyNaN,
  onlyNaN,
  type Reals,
  withRoundings,
} from './interval.ts';

import type { StepFunction, StepNumbers } from './step.ts';

/** The values of entry j of row i; rows of a batch lie one below the other. */
export type EntryReader<T> = (i: number, j: number) => Interval<T>;

/** A way to read an epilogue: the numbers, and the errors that are added to exact values. */
interface Reading<T> {
  readonly reals: Reals<T>;
  /** Returns the values that a parameter may have in the epilogue's arithmetic. */
  number(x: number): Interval<T>;
  /** Returns what an implementation may compute in place of the exact values y. */
  computed(step: ChainStep, x: Interval<T>, y: Interval<T>, by: StepNumbers<T>): Interval<T>;
  /** Returns what an implementation may compute in place of the exact products y. */
  multiplied(y: Interval<T>): Interval<T>;
}

/**
 * Encloses what a correct implementation may compute: exact values of all numbers that an entry may have, widened by the error of each
 * function and by each rounding. Parameters are numbers as given, or rounded to the format of the arithmetic.
 */
export function possibleResults(
  epilogue: Epilogue,
  arithmetic: EpilogueArithmetic,
  product: EntryReader<number>,
): EntryReader<number> {
  const parameter = (x: number): Interval => {
    const rounded = arithmetic.format.round(x);
    return rounded === x || !Number.isFinite(rounded)
      ? { lo: x, hi: x }
      : hull({ lo: x, hi: x }, { lo: rounded, hi: rounded });
  };
  const together = factorsTogether(epilogue);
  return readSteps(epilogue, (i, j) => withRoundings(product(i, j), arithmetic), {
    reals: doubleReals,
    number: parameter,
    multiplied: (y) => withRoundings(y, arithmetic),
    computed(step, x, y, by) {
      const { run, settings } = step;
      // A limit has no error.
      if (isOnlyNaN(y) || (x.lo === x.hi && !Number.isFinite(x.lo))) return y;
      const accuracy = accuracies.find((settings.accuracy as string | undefined) ?? accuracies.names[0]);
      const context = { arithmetic, accuracy, reals: doubleReals };
      const error = run.error?.(x, y, by, context) ?? 0;
      const wide = error > 0 ? widened(y, error) : y;
      const all = run.other === undefined ? wide : hull(wide, run.other(x, by, context));
      const rounded = run.rounds ? withRoundings(all, arithmetic) : all;
      return together.has(step) && !isPowerOfTwo(by('values'))
        ? widened(rounded, roundingOf(rounded, arithmetic))
        : rounded;
    },
  });
}

/** Returns the factors that follow one another: x·(s·t) has other roundings than (x·s)·t. */
function factorsTogether({ steps }: Epilogue): Set<ChainStep> {
  const isFactor = (at: number) => steps.at(at)?.record.isFactor === true;
  return new Set(steps.filter((_, at) => isFactor(at) && ((at > 0 && isFactor(at - 1)) || isFactor(at + 1))));
}

/** True for a power of two alone: a product with it is exact in any order. */
const isPowerOfTwo = ({ lo, hi }: Interval) => lo === hi && 2 ** exponentOf(lo) === Math.abs(lo);

/** Bounds the error of rounding a finite number of an interval. */
function roundingOf({ lo, hi }: Interval, { format, unit }: EpilogueArithmetic): number {
  const largest = Math.max(...[lo, hi].map((end) => (Number.isFinite(end) ? Math.abs(end) : 0)));
  return unit * largest + format.minSubnormal;
}

/** Widens an interval by an error; infinities stay. */
const widened = (y: Interval, error: number): Interval => ({
  ...y,
  lo: Number.isFinite(y.lo) ? addDown(y.lo, -error) : y.lo,
  hi: Number.isFinite(y.hi) ? addUp(y.hi, error) : y.hi,
});

/** Encloses the exact results of an epilogue. */
export const exactResults = <T>(
  epilogue: Epilogue,
  reals: Reals<T>,
  product: EntryReader<T>,
): EntryReader<T> =>
  readSteps(epilogue, product, {
    reals,
    number: (x) => reals.of(x),
    computed: (_, __, y) => y,
    multiplied: (y) => y,
  });

function readSteps<T>(
  { steps, sizes: { m } }: Epilogue,
  product: EntryReader<T>,
  reading: Reading<T>,
): EntryReader<T> {
  return steps.reduce<EntryReader<T>>((before, step) => {
    const { record, settings, run, n } = step;
    const numbers = (i: number, j: number) => (parameter: string) =>
      reading.number(numberAt(lookUp(settings, parameter) as EntryNumbers, m, i, j));
    const apply = (x: Interval<T>, i: number, j: number) => {
      const by = numbers(i, j);
      return reading.computed(step, x, valuesOf(run, x, by, reading.reals), by);
    };
    if (record.isGate !== true) return (i, j) => apply(before(i, j), i, j);
    const [first, last] = settings.order === 'gate-last' ? [n / 2, 0] : [0, n / 2];
    const { columns = (j: number) => [j + first, j + last] as const } = step;
    return (i, j) => {
      const [gate, other] = columns(j);
      const [activated, y] = [apply(before(i, gate), i, j), before(i, other)];
      const x = run.stored === undefined ? activated : reading.reals.rounded(activated, run.stored);
      return withNaN(reading.multiplied(numbersOf(reading.reals.multiply(x, y))), x, y);
    };
  }, product);
}

/** Encloses the exact values of a step for all numbers of an interval. */
function valuesOf<T>(run: StepFunction, x: Interval<T>, by: StepNumbers<T>, reals: Reals<T>): Interval<T> {
  const y = isOnlyNaN(x as Interval) ? (onlyNaN as Interval<T>) : numbersOf(enclose(run, x, by, reals));
  if (x.nan !== true) return y;
  const { ofNaN } = run;
  return withNaN(ofNaN === undefined ? y : (hull(y as Interval, ofNaN) as Interval<T>), x, x);
}

function enclose<T>(run: StepFunction, x: Interval<T>, by: StepNumbers<T>, reals: Reals<T>): Interval<T> {
  const { shape } = run;
  const isPoint = x.lo === x.hi;
  if (shape === 'arithmetic' || isPoint) return run.at({ lo: x.lo, hi: x.hi }, by, reals);
  const ends = reals.hull(
    run.at({ lo: x.lo, hi: x.lo }, by, reals),
    run.at({ lo: x.hi, hi: x.hi }, by, reals),
  );
  const turns = shape !== 'monotonic' && Number(x.lo) < shape.to && Number(x.hi) > shape.from;
  return turns ? reals.hull(ends, reals.of(shape.least)) : ends;
}

/** Returns an interval of NaN alone for one without numbers. */
const numbersOf = <T>(y: Interval<T>): Interval<T> =>
  Number.isNaN(Number(y.lo)) || Number.isNaN(Number(y.hi)) ? (onlyNaN as Interval<T>) : y;

/** Marks values that may be NaN since others may. */
const withNaN = <T>(y: Interval<T>, one: Interval<T>, other: Interval<T>): Interval<T> =>
  one.nan === true || other.nan === true ? { ...y, nan: true } : y;
