import { group } from 'd3-array';
import type { Fingerprint } from '../../gpu/device.ts';
import type { Timing } from '../../gpu/runner/time.ts';
import type { Table } from '../../report/table.ts';
import { type BreakEven, breakEven } from './break-even.ts';
import { effectiveRate, isSquare, type Measurement, type Missed } from './measurement.ts';
import type { Outcome } from './sweep.ts';
import { gamesHowell, type NoTest, type WelchAnova, welchAnova } from './tests-of-means.ts';

/** The format of the files; a reader refuses others. */
export const BENCH_SCHEMA = 'gemm-paranoia/bench-2';

/** Two entrants, compared by the speeds of their trials. */
export interface ComparedPair {
  readonly one: string;
  readonly other: string;
  /** Median speed of the first over that of the second. */
  readonly ratio: number;
  readonly p: number;
}

/** Whether the entrants of one round differ in speed, and which of them. */
export interface Comparison {
  /** The product: `1024×1024×1024, uniform`. */
  readonly product: string;
  readonly anova: WelchAnova | NoTest;
  /** Empty where there is no test. */
  readonly pairs: readonly ComparedPair[];
}

/** From which size on one entrant is faster than another. */
export interface SizedAgainst {
  readonly label: string;
  readonly against: string;
  readonly breakEven: BreakEven;
}

/** A study of a paper, as a run of it was. */
export interface StudyReport {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** Beside the published figures. */
  readonly tables: readonly Table[];
}

/** All that a run measured. */
export interface BenchReport {
  readonly schema: typeof BENCH_SCHEMA;
  readonly title: string;
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly adapter: Fingerprint & { readonly chosenBecause: string };
  /** Whether the adapter has timestamps. */
  readonly timestamps: boolean;
  /** Where the leaf kernels' tuning comes from, where there is one. */
  readonly tuning?: string | undefined;
  readonly timing: Timing;
  /** What to know before the numbers are read. */
  readonly notes: readonly string[];
  readonly measurements: readonly Measurement[];
  readonly missed: readonly Missed[];
  readonly comparisons: readonly Comparison[];
  readonly breakEvens: readonly SizedAgainst[];
  readonly study?: StudyReport;
}

/** What measurements say together: which differ, and from which size on. */
export function conclusions({ measurements }: Outcome): Pick<BenchReport, 'comparisons' | 'breakEvens'> {
  return { comparisons: compare(measurements), breakEvens: breakEvens(measurements) };
}

/**
 * What a measurement is compared with, on the same operands: a fast product with the classical one without recursion of
 * the same leaf kernel, or else of the same precision; all others with the first classical one, else the first of all.
 */
export function baselineOf(one: Measurement, all: readonly Measurement[]): Measurement {
  const same = all.filter(
    ({ m, k, n, input }) => m === one.m && k === one.k && n === one.n && input === one.input,
  );
  const classical = same.filter(({ algorithm, levels }) => algorithm === 'classical' && levels === 0);
  const leafOf = ({ kernel }: Measurement) => kernel.slice(kernel.indexOf(':') + 1);
  if (one.algorithm === 'classical') return classical[0];
  const alike = classical.filter(({ precision }) => precision === one.precision);
  return alike.find((other) => leafOf(other) === leafOf(one)) ?? alike[0] ?? classical[0] ?? same[0];
}

function breakEvens(measurements: readonly Measurement[]): SizedAgainst[] {
  const squares = measurements.filter(isSquare);
  const pairs = squares.flatMap((one) => {
    const base = baselineOf(one, squares);
    if (base.label === one.label) return [];
    const key = JSON.stringify([one.label, base.label]);
    const faster = one.interval[1] < base.interval[0];
    const ratio = base.median / one.median;
    return [{ key, label: one.label, against: base.label, size: one.n, ratio, faster }];
  });
  return [...group(pairs, ({ key }) => key).values()].map((same) => ({
    label: same[0].label,
    against: same[0].against,
    breakEven: breakEven(same),
  }));
}

/** What a product is called: m×k×n and the family of its operands. */
export function productOf({ m, k, n, input }: Measurement): string {
  return `${m}×${k}×${n}, ${input}`;
}

/** Compares the entrants of every product that more than one ran on: Welch's test over all, Games and Howell's pairs. */
export function compare(measurements: readonly Measurement[]): Comparison[] {
  return [...group(measurements, productOf)].flatMap(([product, all]) => {
    if (all.length < 2) return [];
    const samples = all.map((one) => one.seconds.map((seconds) => effectiveRate(one, seconds)));
    const tests = gamesHowell(samples);
    const pairs = tests.tested
      ? tests.pairs.map(({ one, other, p }) => ({
          one: all[one].label,
          other: all[other].label,
          ratio: all[other].median / all[one].median,
          p,
        }))
      : [];
    return [{ product, anova: welchAnova(samples), pairs }];
  });
}
