import { OURS } from '../base/registry.ts';
import { singlePrecision } from '../precision/single.ts';
import { inputFamily } from './input.ts';
import { integerMagnitudes, integers } from './integers.ts';

/** Scale of the odd columns of B, which lifts their products into the normal range. */
const LIFT = 2 ** 60;

/**
 * The whole numbers of {@link integers}, with A times the least positive number, so that all of A is subnormal, and the odd columns of B
 * times 2^60. Even columns of C are sums of subnormal products. Odd ones are normal numbers that only a kernel which flushes subnormal
 * *operands* returns as 0. All sums are exact where subnormals are kept.
 */
export const subnormals = inputFamily({
  name: 'subnormals',
  what: 'Subnormal multiples of the least positive number times whole numbers; every other column of B is scaled by 2^60.',
  source: OURS,
  catches: 'Subnormal operands or results flushed to zero or rounded wrongly.',
  statistics: 'structured',
  exactness: 'classical',
  reach: { entries: 62, sums: 62 },
  accepts: (shape) =>
    keepsItsOperands(shape.precision)
      ? integers.accepts(shape)
      : { ok: false, reason: 'its operands are rounded before they are multiplied, or are pairs' },
  make: (request) => {
    const { maxA, maxB } = integerMagnitudes(request);
    const { m, k, n, precision, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    const least = precision.a.minSubnormal;
    return {
      a: fill(m, k, () => ra.sign() * ra.int(1, maxA) * least),
      b: fill(k, n, (_, j) => rb.sign() * rb.int(1, maxB) * (j % 2 === 1 ? LIFT : 1)),
      hasSubnormals: true,
    };
  },
});

function keepsItsOperands(precision = singlePrecision): boolean {
  return precision.multiplied === precision.a && precision.a.underflow.kept === 1;
}
