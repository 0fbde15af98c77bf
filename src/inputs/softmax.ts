import { makeNumbers } from '../base/numbers.ts';
import { exp2 } from './exp2.ts';
import { inputFamily, whileSmooth } from './input.ts';

/** Sharpness of rows, in turn: attention is spread over many places, or over few. */
const SHARPNESS = [1, 2];

/** Operands of attention: rows of weights that sum to 1, e^x or e^2x of normal numbers x over their sum. */
export const softmax = inputFamily({
  name: 'softmax',
  what: 'Rows of A are softmax(x), or softmax(2x) in every other row, for normal numbers x; B is uniform on [0, 1).',
  source: 'after Vaswani et al. 2017, Attention is all you need, equation 1',
  catches: 'Errors of weighted means: partial sums of one sign with small terms.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  make: ({ m, k, n, random, fill, uniform }) => {
    const drawn = random(1);
    const sharpness = (at: number) => SHARPNESS[Math.floor(at / k) % SHARPNESS.length];
    const weights = makeNumbers(m * k, (at) => exp2(drawn.normal() * sharpness(at) * Math.LOG2E));
    const sums = Array.from({ length: m }, (_, i) =>
      weights.subarray(i * k, (i + 1) * k).reduce((sum, x) => sum + x, 0),
    );
    return { a: fill(m, k, (i, p) => weights[i * k + p] / sums[i]), b: uniform(k, n, 0, 1, 2) };
  },
});
