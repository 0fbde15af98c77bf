import { findAlgorithm } from '../algorithms/algorithms.ts';
import { Memo } from '../base/memo.ts';
import { toFixed } from '../base/rational.ts';
import { type Costs, eachQuantity, type Quantity, quantities, reduction } from '../readers/cost.ts';
import { evaluate, formatPolynomial, formula, type Polynomial } from '../readers/formula.ts';
import type { StudyResult } from '../run/results.ts';

type Count = StudyResult['counts'][number];

/** Costs of algorithms as polynomials in n: `7n^3/4 + 2n^2`. */
type Formulas = Readonly<Record<string, Readonly<Record<Quantity, string>>>>;
/** Percentages of each quantity that recursion saves, by size and algorithm. */
type Percentages = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** The published tables of the costs of products. */
export interface PublishedCounts {
  readonly fig14_oneLevel: Formulas;
  readonly fig17_twoLevel: Formulas;
  readonly fig18_threeLevel: Formulas;
  readonly fig19_fourLevel: Formulas;
  readonly percentReductionVsClassical: Readonly<
    Record<'oneLevel_fig15' | 'twoLevel_fig20' | 'threeLevel_fig21' | 'fourLevel_fig22', Percentages>
  >;
}

/** Returns the counts that follow from the plan, beside those of Figures 14, 15 and 17–22 of the 2011 paper. */
export function compareCounts(published: PublishedCounts): Count[] {
  const percent = published.percentReductionVsClassical;
  return [
    ...formulas('Figure 14', 1, published.fig14_oneLevel),
    ...formulas('Figure 17', 2, published.fig17_twoLevel),
    ...formulas('Figure 18', 3, published.fig18_threeLevel),
    ...formulas('Figure 19', 4, published.fig19_fourLevel),
    ...percentages('Figure 15', 1, percent.oneLevel_fig15),
    ...percentages('Figure 20', 2, percent.twoLevel_fig20),
    ...percentages('Figure 21', 3, percent.threeLevel_fig21),
    ...percentages('Figure 22', 4, percent.fourLevel_fig22),
  ];
}

/** Compares the formulas of a figure. */
function formulas(figure: string, levels: number, rows: Formulas): Count[] {
  return Object.entries(rows).flatMap(([row, printed]) => {
    const computed = costOf(row, row === 'classical' ? 0 : levels);
    return quantities.map((quantity) =>
      count(
        { figure, title: `Cost at ${inWords(levels)}`, row, column: quantity },
        printed[quantity].replaceAll('^3', '³').replaceAll('^2', '²'),
        formatPolynomial(computed[quantity]),
      ),
    );
  });
}

/** Compares the percentages that recursion saves over the classical product. */
function percentages(figure: string, levels: number, sizes: Percentages): Count[] {
  return Object.entries(sizes).flatMap(([size, algorithms]) => {
    const at = (costs: Costs<Polynomial>) => eachQuantity(costs, (cost) => evaluate(cost, Number(size)));
    const baseline = at(costOf('classical', 0));
    return Object.entries(algorithms).flatMap(([algorithm, printed]) => {
      const saved = reduction(at(costOf(algorithm, levels)), baseline);
      return quantities.map((column, place) =>
        count(
          { figure, title: `Percent saved by ${inWords(levels)}`, row: `${algorithm}, n = ${size}`, column },
          printed[place].toFixed(1),
          toFixed(saved[column], 1),
        ),
      );
    });
  });
}

const known = new Memo<Costs<Polynomial>>(16);

/** Returns the costs of a product of n×n matrices, as polynomials in n. */
const costOf = (algorithm: string, levels: number) =>
  known.get(`${algorithm} ${levels}`, () => formula(findAlgorithm(algorithm), levels));

function count(
  at: Pick<Count, 'figure' | 'title' | 'row' | 'column'>,
  published: string,
  computed: string,
): Count {
  return { ...at, published, computed, equal: published === computed };
}

const inWords = (levels: number): string => `${levels} ${levels === 1 ? 'level' : 'levels'}`;
