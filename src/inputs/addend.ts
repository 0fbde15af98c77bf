import { lowestBit } from '../base/binary64.ts';
import { createRandom } from '../base/random.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { type Gemm, isScaled } from '../matrix/gemm.ts';
import type { Precision } from '../precision/precision.ts';
import { fillMatrix, mapEntries } from './fitted.ts';
import type { InputFamily } from './input.ts';

/** A random stream that neither families nor edits use. */
const STREAM = 1000;
/** Largest whole number of C, so that A·B is not lost beside C. */
const LARGEST = 2 ** 10;

/**
 * Returns the matrix that beta multiplies: m×n random whole numbers where the family's products are exact, else random numbers of [-1, 1].
 * @param bits most bits of the sums of A·B, where these are whole numbers.
 */
export function addendFor(
  family: Pick<InputFamily, 'exactness' | 'editAddend'>,
  { m, n }: Shape,
  seed: number,
  { c }: Precision,
  bits: number,
): Matrix {
  const random = createRandom(seed, STREAM, c.bytes > 4 ? 'fine' : 'coarse');
  const largest = Math.min(LARGEST, 2 ** Math.max(0, bits), 2 ** c.integerBits);
  const whole = () => random.sign() * random.int(1, largest);
  const real = () => random.uniform(-1, 1);
  const made = fillMatrix(m, n, family.exactness === 'none' ? real : whole, c);
  family.editAddend?.(made, seed);
  const round = (x: number) => Math.sign(x) * Math.min(largest, Math.ceil(Math.abs(x)));
  mapEntries(made, family.exactness === 'integers' ? round : c.round);
  return made;
}

/**
 * Returns the most bits of the sums of A·B for which alpha·A·B + beta·C is exact in sums of `bits` bits. Whole numbers are assumed, and any
 * order of the multiplications. The result is below 1 where alpha or beta has too many bits.
 */
export function bitsBeside(gemm: Pick<Gemm, 'alpha' | 'beta' | 'imaginary'>, bits: number): number {
  if (!isScaled(gemm)) return bits;
  const { alpha, beta, imaginary = { alpha: 0, beta: 0 } } = gemm;
  const parts = [alpha, beta, imaginary.alpha, imaginary.beta];
  const grid = 2 ** Math.min(0, ...parts.filter((x) => x !== 0).map(lowestBit));
  const [byAlpha, byBeta] = (['alpha', 'beta'] as const).map(
    (of) => Math.abs(gemm[of]) + Math.abs(imaginary[of]),
  );
  return bits - Math.ceil(Math.log2((Math.max(1, byAlpha) + byBeta) / grid));
}
