import type { ComputedCell } from '../computed-cells.ts';
import published from '../published/dumas-2025.json' with { type: 'json' };
import type { Study } from '../study.ts';

const NORMS_336 = 'The sum of norms is 395.029, which rounds to 395.0. The published value is rounded up.';
const ORIENTATION =
  'The published exponent is that of ⟨3,3,6⟩ for all three orientations. The computed one uses a table of this orientation, whose inner dimension differs.';

/** Reasons why numbers depart, by program and column. */
const REASONS: Readonly<Record<string, string>> = {
  'FMM_3_3_6 growth factor': NORMS_336,
  'FMM_3_6_3 growth factor': NORMS_336,
  'FMM_6_3_3 growth factor': NORMS_336,
  'FMM_3_6_3 exponent of the bound': ORIENTATION,
  'FMM_6_3_3 exponent of the bound': ORIENTATION,
  'FMMa_3_6_3 exponent of the bound': ORIENTATION,
};

/** Growth factors of ⟨2,2,2;7⟩ and ⟨3,3,6;40⟩ in several bases. */
export const dumas2025: Study = {
  name: 'dumas-2025',
  what: 'Growth factors of Strassen’s and Smirnov’s algorithms in other bases (2024, 2025)',
  source:
    'Dumas, Pernet, Sedoglavic: Strassen’s algorithm is not optimally accurate (2024), and Towards automated generation of fast and accurate algorithms for recursive matrix multiplication (2025)',
  errors: {
    notes: [
      'Published numbers come from the README of jgdumas/Fast-Matrix-Multiplication, which cites Table 1 of the second paper. They follow from the algorithm tables alone: no product runs. The papers show measured errors only in figures, without numbers.',
      'The growth factor is Σ‖u‖₂‖v‖₂‖w‖₂. The exponent of the bound is the logarithm, to the base of the inner dimension, of the maximum over C of Σ|w|‖u‖₂‖v‖₂. It uses the ∞-norm of the result and Euclidean norms of the operands.',
      'DPS_evenpow is compared with a table found by search, since its published program could not be read. The others are compared with their programs. FMMa_6_3_3 has no table here, so its two numbers are missing.',
      'A number is close if the computed one rounds to the published one.',
    ],
    cells: () => [],
    computed: () => published.rows.flatMap(cellsOf),
  },
};

/** Returns the published decimals of a growth factor: 17.8530 has four, 395.1 has one. Exponents have four. */
const decimalsOf = (growth: number): number => (growth < 100 ? 4 : 1);

function cellsOf({ program, table, growth, exponent }: (typeof published.rows)[number]): ComputedCell[] {
  const cell = (
    column: string,
    value: number,
    decimals: number,
    of: 'norms' | 'outputExponent',
  ): ComputedCell => ({
    ...{ figure: 'README', title: 'Growth factors and exponents', row: program, column },
    ...{ published: value, decimals, reason: REASONS[`${program} ${column}`] },
    compute: ({ tableOf }) => ({ value: tableOf(table)[of] }),
  });
  return [
    cell('growth factor', growth, decimalsOf(growth), 'norms'),
    cell('exponent of the bound', exponent, 4, 'outputExponent'),
  ];
}
