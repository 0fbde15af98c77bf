import type { FunctionKernel } from '../kernels/user-kernel.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import { f32 } from '../precision/format.ts';
import type { BlockFactors } from '../precision/laid-operands.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { type Sum, sumsIn } from './honest-sums.ts';

/** Kernels of coded operands, written out apart from what decodes them elsewhere. */

/** A line of an operand: its elements less their zero points, and the factors of each, from the smallest blocks to the largest. */
interface Line {
  readonly elements: Float64Array;
  readonly factors: readonly Float64Array[];
}

/** An entry of the product from a line of A and one of B. */
type Entry = (x: Line, y: Line, sum: Sum) => number;

const single = Math.fround;
const last = <T>(list: readonly T[]): T => list[list.length - 1];

/** What is multiplied by one after the other, rounded each time. */
const times = (x: number, factors: readonly number[]): number =>
  factors.reduce((product, factor) => single(product * factor), x);
const at = ({ factors }: Line, q: number): number[] => factors.map((own) => own[q]);

/** The products of elements of each run along k in which no factor changes, and where it begins. */
function* runsOf(x: Line, y: Line): Generator<readonly [products: Float64Array, from: number]> {
  const k = x.elements.length;
  const isOne = (p: number, q: number) =>
    [...x.factors, ...y.factors].every((own) => Object.is(own[p], own[q]));
  for (let from = 0, to = 0; from < k; from = to) {
    for (to = from + 1; to < k && isOne(from, to); ) to++;
    yield [
      Float64Array.from({ length: to - from }, (_, q) => x.elements[from + q] * y.elements[from + q]),
      from,
    ];
  }
}

/** The sums of runs, each multiplied by its factors in some way, added up. */
const byRuns =
  (scaled: (sum: number, x: readonly number[], y: readonly number[]) => number): Entry =>
  (x, y, sum) => {
    const parts = [...runsOf(x, y)].map(([products, from]) =>
      scaled(sum(products), at(x, from), at(y, from)),
    );
    return sumsIn(f32).sequential(Float64Array.from(parts));
  };

const decoded = ({ elements, factors }: Line): Float64Array =>
  elements.map((element, q) =>
    times(
      element,
      factors.map((own) => own[q]),
    ),
  );

const entries: Readonly<Record<string, Entry>> = {
  'decoded-first': (x, y, sum) => {
    const [left, right] = [decoded(x), decoded(y)];
    return sum(left.map((one, q) => one * right[q]));
  },
  'factors-multiplied': byRuns((sum, x, y) => single(sum * times(times(1, x), y))),
  'factors-in-turn': byRuns((sum, x, y) => times(times(sum, x), y)),
  'factors-exactly': byRuns((sum, x, y) => single([...x, ...y].reduce((all, one) => all * one, sum))),
  // Those of the largest blocks are the same all along k.
  'largest-last': (x, y, sum) => {
    const isWhole = [x, y].every(({ factors }) => factors.length > 1);
    if (!isWhole) return entries['factors-in-turn'](x, y, sum);
    const inner = byRuns((part, left, right) => single(part * single(left[0] * right[0])));
    return single(inner(x, y, sum) * single(last(x.factors)[0] * last(y.factors)[0]));
  },
};

const sums: Readonly<Record<string, Sum>> = {
  sequential: sumsIn(f32).sequential,
  fused: sumsIn(f32).fused,
  'pairwise-8': sumsIn(f32).pairwise(8),
  'blocked-32': sumsIn(f32).blocked(32),
  doubles: sumsIn(f32).inDoubles,
  'sixteen-at-once': sumsIn(f32).atOnce(16, 25),
};

/** An honest kernel of coded operands; it claims nothing. */
export interface HonestCodes {
  readonly name: string;
  multiply(precision: Precision): FunctionKernel['multiply'];
}

/** The precisions of coded operands. */
export const CODED: readonly string[] = precisions.items
  .filter(({ coded }) => coded !== undefined)
  .map(({ name }) => name);

export const honestCodes: readonly HonestCodes[] = Object.entries(entries).flatMap(([way, entry]) =>
  Object.entries(sums).map(([added, sum]) => ({
    name: `codes-${way}-${added}`,
    multiply:
      ({ coded, d: { round } }: Precision): FunctionKernel['multiply'] =>
      (a, b, { m, k, n }, _, d, factors = {}) => {
        const left = linesOf('a', a, m, k, coded?.a, factors.a);
        const right = linesOf('b', b, n, k, coded?.b, factors.b);
        for (let i = 0; i < m; i++)
          for (let j = 0; j < n; j++) d[i * n + j] = round(entry(left[i], right[j], sum));
        return d;
      },
  })),
);

function linesOf(
  of: Operand,
  elements: ArrayLike<number>,
  lines: number,
  k: number,
  coding: Coding | undefined,
  factors: BlockFactors | undefined,
): Line[] {
  const own = (list: ArrayLike<number>, level: number, line: number, q: number) => {
    const { lines: height, entries: width } = (coding as Coding).scales[level];
    return list[Math.floor(line / height) * Math.ceil(k / Math.min(width, k)) + Math.floor(q / width)];
  };
  const along = (value: (q: number) => number) => Float64Array.from({ length: k }, (_, q) => value(q));
  return Array.from({ length: lines }, (_, line) => ({
    elements: along((q) => {
      const zero = factors?.zeros === undefined ? 0 : own(factors.zeros, 0, line, q);
      return elements[of === 'a' ? line * k + q : q * lines + line] - zero;
    }),
    factors: (factors?.scales ?? []).map((list, level) => along((q) => own(list, level, line, q))),
  }));
}
