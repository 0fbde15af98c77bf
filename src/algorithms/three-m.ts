import type { Algorithm } from './algorithm.ts';
import type { BilinearTable } from './bilinear-table.ts';

/**
 * A complex product in three real ones, as a table on the real matrices that stand for complex ones: T1 = Ar·Br, T2 = Ai·Bi,
 * T3 = (Ar + Ai)(Br + Bi), Dr = T1 − T2, Di = T3 − T1 − T2.
 */
export const threeM: Algorithm = {
  name: '3m',
  title: '3M',
  what: 'a complex product by 3 real products instead of 4; imaginary parts lose accuracy by cancellation',
  source:
    'Higham 1992, Stability of a method for multiplying complex matrices with three real matrix multiplications',
  operands: 'complex',
  base: { m: 2, k: 2, n: 1 },
  u: [
    [1, 0, 0, 0],
    [0, 0, 1, 0],
    [1, 0, 1, 0],
  ],
  v: [
    [1, 0],
    [0, 1],
    [1, 1],
  ],
  w: [
    [1, -1],
    [-1, -1],
    [0, 1],
  ],
};

/**
 * Variants with three other products: with one of differences Ar − Ai, the imaginary part with the other sign; and with Ar·Bi, Ai·Br and
 * (Ar ± Ai)(Br ∓ Bi), three of which enter the real part and two the imaginary one.
 */
export const threeMVariants: readonly BilinearTable[] = [
  {
    ...threeM,
    u: [...threeM.u.slice(0, 2), [1, 0, -1, 0]],
    v: [...threeM.v.slice(0, 2), [1, -1]],
    w: [
      [1, 1],
      [-1, 1],
      [0, -1],
    ],
  },
  ...[1, -1].map(
    (sign): BilinearTable => ({
      base: threeM.base,
      u: [
        [1, 0, 0, 0],
        [0, 0, 1, 0],
        [1, 0, sign, 0],
      ],
      v: [
        [0, 1],
        [1, 0],
        [1, -sign],
      ],
      w: [
        [sign, 1],
        [-sign, 1],
        [1, 0],
      ],
    }),
  ),
];
