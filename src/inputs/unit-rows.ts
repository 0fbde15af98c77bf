import { makeNumbers } from '../base/numbers.ts';
import { inputFamily } from './input.ts';

/** Operands of searches in texts and pictures: directions, whose products are cosines. */
export const unitRows = inputFamily({
  name: 'unit-rows',
  what: 'Normal entries; every row of A and every column of B is divided by its length.',
  source: 'embeddings whose inner products are cosines',
  catches: 'Kernels that expect the length of a row or column to grow with its number of entries.',
  statistics: 'random',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const [a, b] = [makeNumbers(m * k, () => ra.normal()), makeNumbers(k * n, () => rb.normal())];
    const lengthOf = (values: Float64Array, from: number, step: number) => {
      let squares = 0;
      for (let p = 0; p < k; p++) squares += values[from + p * step] ** 2;
      return Math.sqrt(squares);
    };
    const ofRows = makeNumbers(m, (i) => lengthOf(a, i * k, 1));
    const ofColumns = makeNumbers(n, (j) => lengthOf(b, j, n));
    return {
      a: fill(m, k, (i, p) => a[i * k + p] / ofRows[i]),
      b: fill(k, n, (p, j) => b[p * n + j] / ofColumns[j]),
    };
  },
});
