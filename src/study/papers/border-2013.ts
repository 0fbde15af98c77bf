import { mean } from 'd3-array';
import { formatPercent } from '../../report/numbers.ts';
import type { Measurement } from '../bench/measurement.ts';
import type { BenchOutcome } from '../bench/sweep.ts';
import published from '../published/border-2013.json' with { type: 'json' };
import {
  findMeasurement,
  formatBitsOf,
  formatPublishedNumber,
  readingsTable,
  timesAsFast,
} from '../readings.ts';
import { type SizeScaling, type Study, scaledSizes } from '../study.ts';

/** Numbers of rows of A and of columns of B, of our choice: the paper does not print its own. No tile divides them. */
const SIZES = [100, 250, 500, 750, 1000, 1500, 2000, 3000, 4000];
const KERNEL = 'classical:tiled-16';

/** Compares padding with bounds checks in the kernel, for a short inner dimension. */
export const border2013: Study = {
  name: 'border-2013',
  what: 'Padding against bounds checks (2013)',
  source:
    'Matrix multiplication on GPUs with and without border conditions (2013), Figures 3 and 4: wA = hB = 32 and 64.',
  speeds: {
    notes: [
      'Figures 3 and 4 are plots without numbers, heights or widths. Only the averages in the text are compared.',
      'Tiles are 16×16 here and 32×32 in the paper. Neither counts the larger upload of padded operands: times are of operands in place.',
    ],
    rounds: (options) =>
      published.inner.flatMap((k) =>
        oddSizes(options).map((n) => ({
          shape: { m: n, k, n },
          input: 'uniform',
          entrants: (['pad', 'mask'] as const).map((tail) => ({ kernel: KERNEL, tail })),
        })),
      ),
    tables(outcome, options) {
      const pairs = published.inner.map((k) => oddSizes(options).map((n) => pairOf(outcome, k, n)));
      return [
        readingsTable(
          'Section V: average improvement by padding',
          pairs.map((of, at) => ({ k: published.inner[at], gain: mean(of.flatMap(gainOf)), at })),
          [],
          [
            ['wA = hB', ({ k }) => String(k)],
            ['measured', ({ gain }) => formatPublishedNumber(gain, formatPercent)],
            ['published', ({ at }) => `${published.improvement_percent_of_padding[at]} %`],
          ],
        ),
        readingsTable(
          'Figures 3 and 4: speed of bounds checks relative to padding',
          pairs.flat(),
          [],
          [
            ['wA = hB', ({ k }) => String(k)],
            ['hA = wB', ({ n }) => String(n)],
            ['checks over padding', ({ padded, checked }) => timesAsFast(checked, padded)],
            ['bits, padded', ({ padded }) => formatBitsOf(padded)],
            ['bits, checked', ({ checked }) => formatBitsOf(checked)],
          ],
        ),
      ];
    },
  },
};

/** Returns the sizes. A size that a tile divides has no fringe, and is made one larger. */
function oddSizes(options: SizeScaling): number[] {
  return scaledSizes(SIZES, options).map(({ n }) => (n % 16 === 0 ? n + 1 : n));
}

interface Pair {
  readonly k: number;
  readonly n: number;
  readonly padded: Measurement | undefined;
  readonly checked: Measurement | undefined;
}

function pairOf(outcome: BenchOutcome, k: number, n: number): Pair {
  const [padded, checked] = (['pad', 'mask'] as const).map((tail) =>
    findMeasurement(outcome, { k, n, tail }),
  );
  return { k, n, padded, checked };
}

/** Returns the share by which padding is faster, where both were measured. */
function gainOf({ padded, checked }: Pair): number[] {
  return padded === undefined || checked === undefined ? [] : [checked.median / padded.median - 1];
}
