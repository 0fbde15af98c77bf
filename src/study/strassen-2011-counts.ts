import { findAlgorithm } from '../algorithms/algorithms.ts';
import type { Study } from '../gate/results.ts';
import { compile } from '../plan/compile.ts';
import { exactCost, type Quantity, quantities, reduction } from '../readers/cost.ts';
import { formatPolynomial, formula } from '../readers/formula.ts';
import { toFixed } from '../readers/rational.ts';
import { published2011 as published } from './published-2011.ts';

type Count = Study['counts'][number];

const formulaFigures: readonly {
  readonly figure: string;
  readonly levels: number;
  readonly rows: Readonly<Record<string, Readonly<Record<Quantity, string>>>>;
}[] = [
  { figure: 'Figure 14', levels: 1, rows: published.fig14_oneLevel },
  { figure: 'Figure 17', levels: 2, rows: published.fig17_twoLevel },
  { figure: 'Figure 18', levels: 3, rows: published.fig18_threeLevel },
  { figure: 'Figure 19', levels: 4, rows: published.fig19_fourLevel },
];

/** Figures 14 and 17–19: what a product of n×n matrices costs, as polynomials in n. */
export function formulas(): Count[] {
  return formulaFigures.flatMap(({ figure, levels, rows }) =>
    Object.entries(rows).flatMap(([row, printed]) => {
      const computed = formula(findAlgorithm(row), row === 'classical' ? 0 : levels);
      return quantities.map((quantity) =>
        count(
          { figure, title: `Cost at ${levelsInWords(levels)}`, row, column: quantity },
          printed[quantity].replaceAll('^3', '³').replaceAll('^2', '²'),
          formatPolynomial(computed[quantity]),
        ),
      );
    }),
  );
}

const { oneLevel_fig15, twoLevel_fig20, threeLevel_fig21, fourLevel_fig22 } =
  published.percentReductionVsClassical;

const percentFigures: readonly {
  readonly figure: string;
  readonly levels: number;
  readonly sizes: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}[] = [
  { figure: 'Figure 15', levels: 1, sizes: oneLevel_fig15 },
  { figure: 'Figure 20', levels: 2, sizes: twoLevel_fig20 },
  { figure: 'Figure 21', levels: 3, sizes: threeLevel_fig21 },
  { figure: 'Figure 22', levels: 4, sizes: fourLevel_fig22 },
];

/** Figures 15 and 20–22: by how many percent recursion costs less than the classical product. */
export function percentages(): Count[] {
  return percentFigures.flatMap(({ figure, levels, sizes }) =>
    Object.entries(sizes).flatMap(([size, algorithms]) => {
      const baseline = costOf('classical', 0, Number(size));
      return Object.entries(algorithms).flatMap(([algorithm, printed]) => {
        const saved = reduction(costOf(algorithm, levels, Number(size)), baseline);
        const title = `Percent saved by ${levelsInWords(levels)}`;
        return quantities.map((quantity, at) =>
          count(
            { figure, title, row: `${algorithm}, n = ${size}`, column: quantity },
            printed[at].toFixed(1),
            toFixed(saved[quantity], 1),
          ),
        );
      });
    }),
  );
}

function costOf(algorithm: string, levels: number, n: number) {
  return exactCost(
    compile({ algorithm: findAlgorithm(algorithm), shape: { m: n, k: n, n }, depth: { levels } }).steps,
  );
}

function count(
  at: Pick<Count, 'figure' | 'title' | 'row' | 'column'>,
  printed: string,
  computed: string,
): Count {
  return { ...at, published: printed, computed, equal: printed === computed };
}

const levelsInWords = (levels: number): string => `${levels} ${levels === 1 ? 'level' : 'levels'}`;
