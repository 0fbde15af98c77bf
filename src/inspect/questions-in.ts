import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Operand } from '../precision/coding/coding.ts';
import type { OperandFactor, OperandNumber } from './made-operand.ts';
import { describeOperands, type OperandFormat } from './operand-format.ts';
import { type EncodedEntry, putTerms } from './put-terms.ts';
import { SkippedQuestion } from './skipped-question.ts';
import type { DotProduct } from './terms.ts';

/** The part of a session that makes operands. */
interface Maker {
  readonly sides: readonly [OperandFormat, OperandFormat];
  readonly stride: number;
  matrix(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix;
  coded(of: Operand, rows: number, cols: number, element: OperandNumber, factor?: OperandFactor): Matrix;
}

/** Operands that hold dot products, row r of A by column r of B. Each answer is multiplied by 2^shift. */
interface Asked {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly shifts: readonly number[];
}

/** Puts dot products into operands with their numbers unchanged. */
export function encodeUnchanged(maker: Maker, { m, k, n }: Shape, some: readonly DotProduct[]): Asked {
  return {
    a: maker.matrix('a', m, k, (i, p) => some[i]?.a[p] ?? 0),
    b: maker.matrix('b', k, n, (p, j) => some[j]?.b[p] ?? 0),
    shifts: some.map(() => 0),
  };
}

/** Puts dot products into elements and factors that hold their products, up to a power of two. @throws {@link SkippedQuestion} */
export function encodeScaled(maker: Maker, { m, k, n }: Shape, some: readonly DotProduct[]): Asked {
  const { stride, sides } = maker;
  const put = some.map((question) => {
    const found = putTerms(question, sides, stride > 1);
    if (found !== undefined) return found;
    throw new SkippedQuestion(`${describeOperands(sides)} do not hold the terms of this question together.`);
  });
  const entry = (list: readonly EncodedEntry[] | undefined, place: number) => {
    const at = place / stride;
    return Number.isInteger(at) ? list?.[at] : undefined;
  };
  const made = (of: Operand, rows: number, cols: number) =>
    maker.coded(
      of,
      rows,
      cols,
      (line, place) => entry(put[line]?.[of], place)?.element ?? 0,
      (line, place, level) => (level > 0 ? 1 : (entry(put[line]?.[of], place)?.factor ?? 1)),
    );
  return { a: made('a', m, k), b: made('b', k, n), shifts: put.map(({ shift }) => shift) };
}
