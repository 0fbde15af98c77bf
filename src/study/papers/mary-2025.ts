import type { ComputedCell } from '../computed-cells.ts';
import { type NarrowFormat, narrowFormats, narrowRangeError } from '../narrow-range.ts';
import published from '../published/mary-2025.json' with { type: 'json' };
import type { Study } from '../study.ts';

const NAMES: Readonly<Record<NarrowFormat, string>> = {
  e4m3: 'fp8-e4m3',
  e5m2: 'fp8-e5m2',
  f16: 'binary16',
};

/** Products in formats of a narrow range, summed in binary32. */
export const mary2025: Study = {
  name: 'mary-2025',
  what: 'Products of FP8 and binary16 entries over a wide range, scaled and summed in binary32 (2025)',
  source:
    'Mary, Mikaitis: Error Analysis of Matrix Multiplication with Narrow Range Floating-Point Arithmetic (2025), Section 5',
  errors: {
    notes: [
      'The paper plots one draw per size. Published numbers come from the authors’ data files: one word per operand, with subnormal numbers, accumulated in binary32.',
      'Computed on this CPU: the median of 39 draws. A published number is close if it lies between the least and the largest draw. A further draw does so with probability 95 %.',
      'Differences: the random numbers; logarithms of entries are drawn from 2^53 values here. Both use an exact product in binary64.',
      'Of the 40 published sizes up to 10^6, those up to 28942 are compared.',
    ],
    cells: () => [],
    computed: () => (Object.keys(narrowFormats) as NarrowFormat[]).flatMap(cellsOf),
  },
};

const cellsOf = (format: NarrowFormat): ComputedCell[] =>
  published.errors[format].map((error, at) => {
    const n = published.sizes[at];
    return {
      figure: 'Section 5',
      title: 'Error in ∞-norms over those of A and B, median of 39 draws',
      ...{ row: `n = ${n}`, column: NAMES[format], published: error, n },
      compute: () => narrowRangeError(format, n),
    };
  });
