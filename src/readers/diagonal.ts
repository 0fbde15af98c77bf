import { type Diagonal, scaleBack, scalePair } from '../matrix/diagonal.ts';
import type { StackedOperands } from '../matrix/members.ts';
import type { Computation } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';

/**
 * Analyzes a product whose operands are scaled by powers of two and which is scaled back. The analysis is that of the scaled operands,
 * scaled back, with the possible loss of results that then are subnormal.
 */
export function inDiagonal(
  operands: Pick<StackedOperands, 'a' | 'b'>,
  diagonal: Diagonal,
  { precision }: Computation,
  analyze: (scaled: Pick<StackedOperands, 'a' | 'b'>) => Analysis,
): Analysis {
  const pair = scalePair(operands, diagonal, { a: precision.a.round, b: precision.b.round });
  const { model, bound, sigma, reach } = analyze({ a: pair.a, b: pair.b });
  const least = precision.d.minSubnormal;
  const back = scaleBack(model, pair);
  const withLost = (errors: Analysis['bound']) => {
    const own = scaleBack(errors, pair);
    return { ...own, data: own.data.map((error) => error * (1 + 2 ** -50) + least) };
  };
  return {
    model: { ...back, data: back.data.map(precision.d.round) },
    bound: withLost(bound),
    sigma: withLost(sigma),
    // Powers of two are removed again, so the sizes before decide what overflows.
    reach: reach && {
      ...reach,
      data: reach.data.map((size) => (size < precision.accumulated.maxFinite ? 0 : Number.POSITIVE_INFINITY)),
    },
  };
}
