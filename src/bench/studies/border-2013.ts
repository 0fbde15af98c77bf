import type { Measurement } from '../measurement.ts';
import { mean } from '../statistics.ts';
import type { Outcome, Round } from '../sweep.ts';
import { digits, percentage, type Table } from '../table.ts';
import { border2013 as published } from './published/border-2013.ts';
import { type BenchStudy, type StudyOptions, scaledSizes } from './study.ts';

/** Rows of A and columns of B: the paper does not print its own. None is divided by a tile. */
const SIZES = [100, 250, 500, 750, 1000, 1500, 2000, 3000, 4000];
const KERNEL = 'classical:tiled-16';

/** Padding against conditions in the kernel, where the inner dimension is short. */
export const border2013: BenchStudy = {
  name: 'border-2013',
  title: 'Padding against bounds checks (2013)',
  source:
    'Matrix multiplication on GPUs with and without border conditions (2013), Figures 3 and 4: wA = hB = 32 and 64.',
  sizes: SIZES,
  notes: [
    'Figures 3 and 4 are plots without numbers and do not say which heights and widths they have: the averages in the text are what is compared.',
    'Both are 16×16 tiles here, 32×32 there. Padding costs its larger upload too, which the times of operands in place leave out, there as here.',
  ],
  rounds(options): Round[] {
    return published.inner.flatMap((k) =>
      oddSizes(options).map((n) => ({
        shape: { m: n, k, n },
        input: 'uniform',
        entrants: (['pad', 'guard'] as const).map((edge) => ({ kernel: KERNEL, edge })),
      })),
    );
  },
  tables(outcome, options): Table[] {
    const sizes = oddSizes(options);
    const rows = published.inner.flatMap((k) => sizes.map((n) => rowOf(outcome, k, n)));
    const averages = published.inner.map((k, at) => {
      const wins = sizes.flatMap((n) => gainOf(outcome, k, n) ?? []);
      const found = wins.length === 0 ? '–' : percentage(mean(wins));
      return [String(k), found, `${published.improvement_percent_of_padding[at]} %`];
    });
    return [
      {
        title: 'Section V: average improvement by padding',
        headings: ['wA = hB', 'measured', 'published'],
        rows: averages,
        numbers: 0,
      },
      {
        title: 'Figures 3 and 4: speed of bounds checks over that of padding',
        headings: ['wA = hB', 'hA = wB', 'checks over padding', 'bits, padded', 'bits, checked'],
        rows,
        numbers: 0,
      },
    ];
  },
};

/** Sizes that a tile divides have no border: they are made one larger. */
function oddSizes(options: StudyOptions): number[] {
  return scaledSizes(SIZES, options).map(({ n }) => (n % 16 === 0 ? n + 1 : n));
}

function pair({ measurements }: Outcome, k: number, n: number): (Measurement | undefined)[] {
  const here = measurements.filter((one) => one.k === k && one.n === n);
  return (['pad', 'guard'] as const).map((edge) => here.find((one) => one.edge === edge));
}

/** By what share padding is faster. */
function gainOf(outcome: Outcome, k: number, n: number): number | undefined {
  const [padded, checked] = pair(outcome, k, n);
  return padded === undefined || checked === undefined ? undefined : checked.median / padded.median - 1;
}

function rowOf(outcome: Outcome, k: number, n: number): string[] {
  const [padded, checked] = pair(outcome, k, n);
  const speed = padded === undefined || checked === undefined ? '–' : digits(padded.median / checked.median);
  return [String(k), String(n), speed, ...[padded, checked].map((one) => one?.bits.toFixed(1) ?? '–')];
}
