import { describe, expect, test } from 'vitest';
import { cutIn, toBits } from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: sums that begin with beta·C keep six of the errors expected of them, however small their terms are beside it. Sums of fewer bits
 * than claimed do not.
 *
 * Why: terms below half a unit in the last place of beta·C are lost, each in the direction of its sign (stagnation). Their total grows as
 * k, not as √k.
 */
const f32 = precisions.find('f32').accumulated;
const f16 = precisions.find('f16').accumulated;

interface Kernel {
  readonly precision: string;
  readonly claims: Claims;
  readonly bits: number;
  readonly round: (x: number) => number;
}

const bits16 = { arithmetic: { accumulator: { bits: 16 } } };
const kernels: Readonly<Record<string, Kernel>> = {
  'binary32, unclaimed': { precision: 'f32', claims: {}, bits: 24, round: f32.round },
  'binary32, in order': {
    ...{ precision: 'f32', bits: 24, round: f32.round },
    claims: { order: 'sequential', alpha: 'first', beta: 'first' },
  },
  'binary32, cut off': {
    ...{ precision: 'f32', bits: 24, round: cutIn(f32) },
    claims: { beta: 'first', arithmetic: { rounding: 'toward-zero' } },
  },
  'sixteen bits': { precision: 'bf16-f32', claims: bits16, bits: 16, round: toBits(16) },
  binary16: { precision: 'f16', claims: {}, bits: 11, round: f16.round },
};

const families = {
  'of one sign': () => random.uniform(0, 1),
  'of one sign and far exponents': () => random.uniform(0.5, 1) * 2 ** -random.int(0, 9),
  'of both signs': () => random.uniform(-1, 1),
};
const random = createRandom(21, 3);

/** Returns the worst error in sigmas of sums of k terms. A typical term is so many units in the last place of beta·C. */
function worst(kernel: Kernel, family: keyof typeof families, k: number, units: number, own = kernel.round) {
  const { precision, claims, bits, round } = kernel;
  const side = 3;
  const { multiplied, accumulated } = precisions.find(precision);
  const fill = (rows: number, cols: number, entry: () => number) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, () => multiplied.round(entry())),
    );
  const [a, b] = [fill(side, k, families[family]), fill(k, side, families[family])];
  const size = precision === 'f16' ? 1000 : 2 ** bits / units / 4;
  const scale = precision === 'f16' ? (1000 * 4 * units) / 2 ** bits : 1;
  const before = fill(side, side, () => random.uniform(-1, 1) * size);
  const [byAlpha, beta] = [accumulated.round(0.3 * scale), -2];
  const c = before.data.map((held, e) => {
    const [i, j] = [Math.floor(e / side), e % side];
    let sum = round(beta * held);
    for (let p = 0; p < k; p++)
      sum = own(sum + round(accumulated.round(byAlpha * a.data[i * k + p]) * b.data[p * side + j]));
    return sum;
  });
  return judgeProduct(matrix(side, side, Float32Array.from(c)), a, b, {
    ...{ precision, claims, alpha: byAlpha, beta, before },
  }).sigmas;
}

describe.each(Object.entries(kernels))('%s', (_, kernel) => {
  test.each(Object.keys(families) as (keyof typeof families)[])('terms %s', (family) => {
    for (const k of inShort([512, 64, 4096], 3))
      for (let exponent = -8; exponent <= 8; exponent++) {
        const sigmas = worst(kernel, family, k, 2 ** exponent);
        expect({ k, exponent, isExpected: sigmas < 6 }).toEqual({ k, exponent, isExpected: true });
      }
  });
});

test('sums of five fewer bits are not expected', () => {
  const kernel = kernels['binary32, in order'];
  expect(worst(kernel, 'of both signs', 512, 2 ** 12, toBits(19))).toBeGreaterThan(6);
});
