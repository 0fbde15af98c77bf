import { group } from 'd3-array';
import type { Fingerprint } from '../../gpu/device.ts';
import type { DeviceTimingOptions } from '../../gpu/runner/time.ts';
import type { Table } from '../../report/table.ts';
import { effectiveRate, isSquare, type Measurement, type UntimedProduct } from './measurement.ts';
import type { BenchOutcome } from './sweep.ts';
import { gamesHowell, type MissingTest, type WelchAnova, welchAnova } from './tests-of-means.ts';

/** The format of the files. A reader refuses other formats. */
export const BENCH_SCHEMA = 'gemm-paranoia/bench-2';

/** Two entrants, compared by the speeds of their trials. */
interface ComparedPair {
  readonly one: string;
  readonly other: string;
  /** Median speed of the first over that of the second. */
  readonly ratio: number;
  readonly p: number;
}

/** The test if the entrants of one round differ in speed, and the pairs that differ. */
export interface SpeedComparison {
  /** The product: `1024×1024×1024, uniform`. */
  readonly product: string;
  readonly anova: WelchAnova | MissingTest;
  /** Empty where there is no test. */
  readonly pairs: readonly ComparedPair[];
}

/** The size from which on one entrant is faster than another. */
export interface SizeAgainst {
  readonly label: string;
  readonly against: string;
  readonly breakEven: BreakEven;
}

/** The tables of a paper's study, from one run. */
export interface StudyReport {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** Tables that compare with the published figures. */
  readonly tables: readonly Table[];
}

/** All measurements of a run. */
export interface BenchReport {
  readonly schema: typeof BENCH_SCHEMA;
  readonly title: string;
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly adapter: Fingerprint & { readonly chosenBecause: string };
  readonly timestamps: boolean;
  /** The source of the leaf kernels' tuning, if there is one. */
  readonly tuning?: string | undefined;
  readonly timing: DeviceTimingOptions;
  /** Notes that a reader needs before the numbers. */
  readonly notes: readonly string[];
  readonly measurements: readonly Measurement[];
  readonly missed: readonly UntimedProduct[];
  readonly comparisons: readonly SpeedComparison[];
  readonly breakEvens: readonly SizeAgainst[];
  readonly study?: StudyReport;
}

/** Draws conclusions from measurements: the entrants that differ, and the break-even sizes. */
export function drawConclusions({
  measurements,
}: BenchOutcome): Pick<BenchReport, 'comparisons' | 'breakEvens'> {
  return { comparisons: compareEntrants(measurements), breakEvens: breakEvens(measurements) };
}

/**
 * Returns the baseline of a measurement on the same operands. For a fast product, it is the classical one without recursion of the same
 * leaf kernel, or else of the same precision. For all others, it is the first classical product, or else the first of all.
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

function breakEvens(measurements: readonly Measurement[]): SizeAgainst[] {
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

/** Returns the name of a product: m×k×n and the family of its operands. */
export function productName({ m, k, n, input }: Measurement): string {
  return `${m}×${k}×${n}, ${input}`;
}

/** Compares the entrants of every product with several entrants: Welch's test over all, Games and Howell's over pairs. */
export function compareEntrants(measurements: readonly Measurement[]): SpeedComparison[] {
  return [...group(measurements, productName)].flatMap(([product, all]) => {
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

/** The speed of an entrant relative to another, at a size. */
interface RatioAtSize {
  readonly size: number;
  /** Ratio of speeds; above 1 the entrant is faster. */
  readonly ratio: number;
  /** True if the entrant is certainly faster. @defaultValue true if the ratio is above 1 */
  readonly faster?: boolean;
}

/** The size from which on an entrant is faster. */
type BreakEven =
  | {
      readonly kind: 'from';
      /** The smallest measured size from which on it is faster at every measured size. */
      readonly size: number;
      /** The size at which a straight line over log2 of the size crosses 1; the size itself where it is faster at all. */
      readonly crossing: number;
    }
  | { readonly kind: 'never' }
  | { readonly kind: 'no-sizes' };

/**
 * Finds the break-even size: from it on, up to the largest measured one, the entrant is faster throughout. A size at which it is faster by
 * chance, and slower again above, does not count.
 */
export function breakEven(points: readonly RatioAtSize[]): BreakEven {
  const sorted = [...points].sort((a, b) => a.size - b.size);
  if (sorted.length === 0) return { kind: 'no-sizes' };
  const lastSlow = sorted.findLastIndex(({ ratio, faster = ratio > 1 }) => !faster);
  const first = sorted[lastSlow + 1];
  if (first === undefined) return { kind: 'never' };
  if (lastSlow < 0) return { kind: 'from', size: first.size, crossing: first.size };
  const before = sorted[lastSlow];
  if (before.ratio >= 1) return { kind: 'from', size: first.size, crossing: first.size };
  const share = (1 - before.ratio) / (first.ratio - before.ratio);
  const crossing = 2 ** (Math.log2(before.size) + share * Math.log2(first.size / before.size));
  return { kind: 'from', size: first.size, crossing };
}
