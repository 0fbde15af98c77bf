import type { Algorithm } from './algorithm.ts';

/** The classical ⟨2,2,2;8⟩ algorithm: blocked, it sums each half of k on its own, then adds the halves. */
export const classical: Algorithm = {
  name: 'classical',
  title: 'Classical',
  source: 'definition of the matrix product',
  base: { m: 2, k: 2, n: 2 },
  u: [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ],
  v: [
    [1, 0, 0, 0],
    [0, 0, 1, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 1],
    [1, 0, 0, 0],
    [0, 0, 1, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 1],
  ],
  w: [
    [1, 0, 0, 0],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
    [0, 0, 0, 1],
  ],
  schedule: [
    ['C11 = A11 * B11'],
    ['T1 = A12 * B21', 'C11 = C11 + T1'],
    ['C12 = A11 * B12'],
    ['T1 = A12 * B22', 'C12 = C12 + T1'],
    ['C21 = A21 * B11'],
    ['T1 = A22 * B21', 'C21 = C21 + T1'],
    ['C22 = A21 * B12'],
    ['T1 = A22 * B22', 'C22 = C22 + T1'],
  ],
};
