import type { ExactProduct } from '../../exact/exact.ts';
import { ReferenceFault } from '../../exact/rounded.ts';
import { chooseSample } from '../../exact/sampled.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { OpenDevice } from '../device.ts';

/** Rows of a product that the CPU computed. */
export interface ChosenRows {
  readonly at: readonly number[];
  readonly expected: ExactProduct;
}

/** The most products of entries that the comparison may cost beyond one row. */
const CHECKED = 2 ** 30;
const MOST_ROWS = 16;

/** Chooses the rows of a product to compute twice: one at random, by seed, from each of several equal ranges of rows. */
export function chooseRows({ m, k, n }: Shape, seed: number): readonly number[] {
  const count = Math.max(1, Math.min(m, MOST_ROWS, Math.floor(CHECKED / Math.max(1, k * n))));
  // A sample of columns of the transposed product, which takes half of the limit, is a sample of rows.
  return chooseSample({ m, k: 1, n: 1 }, { seed, limit: Math.min(2 * count, m) }).rows;
}

/**
 * Compares rows with the CPU's: values bit for bit, remainders within the error that the CPU's certificate allows.
 * @throws ReferenceFault if a row differs.
 */
export function checkRows(
  { fingerprint }: OpenDevice,
  shape: Shape,
  { at, expected }: ChosenRows,
  { product, low }: Pick<ExactProduct, 'product' | 'low'>,
): void {
  const { data } = expected.product;
  const { worstAbsolute } = expected.certificate;
  at.forEach((i, row) => {
    for (let j = 0; j < product.cols; j++) {
      const [here, there] = [i * product.cols + j, row * product.cols + j];
      const rest = expected.low[there];
      const isSame =
        Object.is(product.data[here], data[there]) &&
        Math.abs(low[here] - rest) <= worstAbsolute + 2 ** -52 * Math.abs(rest);
      if (isSame) continue;
      throw new ReferenceFault(
        shape,
        `entry (${i}, ${j}) is ${product.data[here]} on ${fingerprint.name}, but ${data[there]} on the CPU. Do not use this device for exact products: give --on cpu`,
      );
    }
  });
}
