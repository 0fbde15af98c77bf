import type { Case } from '../gate/case.ts';
import { levelsFor } from '../plan/levels.ts';
import { published2011 as published } from './published-2011.ts';
import type { CellOptions, CellPlan, Reading, StudyProduct } from './study.ts';

/** The random pairs of Figure 44. */
export const PAIRS = 10;

/** The algorithms by the names of the tables' rows and columns; those not named are classical. */
const recursive: Readonly<Record<string, string>> = {
  strassen: 'strassen',
  winograd: 'winograd',
  dStrassen: 'strassen',
  dWinograd: 'winograd',
};

/** The cells of the error tables: Figures 30–32, 34, 43 and 44. */
export function errorCells({ pairs, shrink = 1 }: CellOptions): CellPlan[] {
  return [
    ...bySize('Figure 30', 'max', published.fig30_maxError_f32, shrink),
    ...bySize('Figure 31', 'mean', published.fig31_meanError_f32, shrink),
    ...byLevel('Figure 32', 'max', published.fig32_maxError_byLevel_n16384_f32, shrink),
    ...byLevel('Figure 34', 'mean', published.fig34_meanError_byLevel_n16384_f32, shrink),
    ...inDouble(shrink),
    ...inDoubleAtRandom('Figure 44', 'uniform', pairs, shrink),
    ...inDoubleAtRandom('Figure 44, elements in [0, 1]', 'uniform-0-1', pairs, shrink),
  ];
}

const titles: Readonly<Record<Reading, string>> = { max: 'Maximum error', mean: 'Mean error' };

type BySize = typeof published.fig30_maxError_f32 | typeof published.fig31_meanError_f32;

function bySize(figure: string, reading: Reading, { sizes, rows }: BySize, shrink: number): CellPlan[] {
  return rows.flatMap((row) =>
    sizes.map((n, at) => {
      const tau2 = 'tau2' in row ? row.tau2 : undefined;
      const levels = tau2 === undefined ? 0 : levelsFor({ m: n, k: n, n }, { tau1: tau2 / 2, tau2 });
      return {
        figure,
        title: `${titles[reading]}, f32`,
        row: tau2 === undefined ? row.algorithm : `${row.algorithm}, τ₂ = ${tau2}`,
        column: `n = ${n}`,
        published: row.values[at],
        reading,
        products: [inverse(row.algorithm, levels, n / shrink)],
      };
    }),
  );
}

const LARGEST = 16384;

type ByLevel =
  | typeof published.fig32_maxError_byLevel_n16384_f32
  | typeof published.fig34_meanError_byLevel_n16384_f32;

function byLevel(figure: string, reading: Reading, table: ByLevel, shrink: number): CellPlan[] {
  return (['strassen', 'winograd'] as const).flatMap((algorithm) =>
    table.levels.map((levels, at) => ({
      figure,
      title: `${titles[reading]} at n = ${LARGEST}, f32`,
      row: algorithm,
      column: `level ${levels}`,
      published: table[algorithm][at],
      ...(reading === 'mean' && levels === 0 ? { misprint: FIGURE_34 } : {}),
      reading,
      products: [inverse(algorithm, levels, LARGEST / shrink)],
    })),
  );
}

const FIGURE_34 = {
  meant: published.fig31_meanError_f32.rows[2].values[3],
  note: 'Figure 34 prints 6.6e-8 here, and Figure 31 3.3e-8 for the same product: judged by 3.3e-8.',
};

const SIZE_IN_DOUBLE = 8192;
const LEVELS_IN_DOUBLE = 2;
const levelsOf = (column: string): number => (column in recursive ? LEVELS_IN_DOUBLE : 0);
const rowNames: Readonly<Record<Reading, string>> = { max: 'maximum', mean: 'average' };

function inDouble(shrink: number): CellPlan[] {
  const table = published.fig43_f64_n8192_tau2_4096;
  return (['max', 'mean'] as const).flatMap((reading) =>
    table.columns.map((column, at) => ({
      figure: 'Figure 43',
      title: `${titles[reading]} at n = ${SIZE_IN_DOUBLE}, f64`,
      row: rowNames[reading],
      column,
      published: table[reading][at],
      reading,
      products: [inverse(column, levelsOf(column), SIZE_IN_DOUBLE / shrink, 'f64')],
    })),
  );
}

/** The paper says that elements are in [−1, 1]; what it prints is what elements in [0, 1] give. */
function inDoubleAtRandom(figure: string, input: string, pairs: number, shrink: number): CellPlan[] {
  const table = published.fig44_f64_n8192_tau2_4096_random;
  return (['max', 'mean'] as const).flatMap((reading) =>
    table.columns.map((column, at) => ({
      figure,
      title: `Normalised ${titles[reading].toLowerCase()} of random pairs at n = ${SIZE_IN_DOUBLE}, f64`,
      row: rowNames[reading],
      column,
      published: table[reading][at],
      reading,
      products: Array.from({ length: pairs }, (_, pair) =>
        random(column, input, levelsOf(column), SIZE_IN_DOUBLE / shrink, pair + 1),
      ),
    })),
  );
}

function inverse(name: string, levels: number, n: number, init: 'f32' | 'f64' = 'f32'): StudyProduct {
  const value = { ...square(name, levels, n), input: 'inverse-pair', seed: 1, init };
  if (init === 'f32') return { case: value, against: 'ideal', sums: 'f32', series: true };
  return { case: { ...value, precision: 'f64' }, against: 'ideal', sums: 'f64', series: false };
}

function random(name: string, input: string, levels: number, n: number, seed: number): StudyProduct {
  const value: Case = { ...square(name, levels, n), input, seed, precision: 'f64' };
  const plain = input === 'uniform' ? 'exact' : 'fused';
  return { case: value, against: levels === 0 ? plain : 'classical', sums: 'f64', series: false };
}

/** Without recursion every algorithm is the classical one: one product serves all. */
function square(name: string, levels: number, size: number) {
  const n = Math.ceil(size);
  const kernel = `${levels === 0 ? 'classical' : recursive[name]}:register`;
  return { kernel, levels, border: 'pad', edge: 'guard', m: n, k: n, n } as const;
}
