import { arithmetic16, TINY16 } from '../formats/arithmetic16.ts';
import { f16 } from '../formats/format.ts';
import { generator, type Subject } from './arithmetic.ts';

/** binary16, where the device has it. */
export const half: Subject = {
  precision: 'f16',
  enables: 'enable f16;',
  type: 'f16',
  format: f16,
  tiny: TINY16,
  operations: arithmetic16,
  operands,
};

const ULP = 2 ** -10;
const { minNormal, minSubnormal, maxFinite } = f16;

const directed: readonly (readonly [number, number, number])[] = [
  [1, 1, 1], // first: 1 + 1 tells whether the device computes at all
  [0, 0, 0],
  [1, ULP / 2, ULP],
  [1 + ULP, ULP / 2, 1],
  [1 + ULP, 1 + ULP, 1],
  [1 + ULP, 1 - ULP / 2, 1],
  // the exact fma lies just off a midpoint
  [1 + 2 ** -5, 1 + 2 ** -6, minSubnormal],
  [2 ** -12, 2 ** -10, 1 + ULP],
  // around the smallest normal number
  [minNormal, 1, minSubnormal],
  [minNormal, 1 - ULP / 2, minNormal],
  [2 ** -7 * (1 - ULP), 2 ** -7 * (1 + ULP), 0],
  [2 ** -7 * (1 - ULP / 2), 2 ** -7, 0],
  [2 ** -7 * (1 - ULP / 2), 2 ** -7 * (1 + ULP), 0],
  [2 ** -7 * (1 - 2 ** -6), 2 ** -7 * (1 + 2 ** -6), 0],
  [2 ** -8, 2 ** -7, minNormal / 2],
  [2 ** -13, 2 ** -13, minNormal],
  [minSubnormal, 1, 0],
  [minSubnormal, 2 ** 10, minNormal],
  [minNormal / 2, minNormal / 2, minNormal / 2],
  [minNormal / 2, 2, minNormal / 2],
  [minNormal, 1.5 * minNormal, minNormal],
  // around the largest finite number, and beyond
  [maxFinite, 8, 16],
  [maxFinite, 16, maxFinite],
  [maxFinite, 1 + ULP, 16],
  [256, 256, maxFinite],
  [Infinity, 1, 0],
  [Infinity, 0, 1],
  [Infinity, Infinity, Infinity],
  [NaN, 1, 1],
  [1, 1, NaN],
];

function operands(): Float32Array {
  const values: number[] = [];
  const put = (a: number, b: number, c: number): void => {
    for (const s of [1, -1]) for (const t of [1, -1]) values.push(s * a, t * b, c, 0, s * a, t * b, -c, 0);
  };
  for (const [a, b, c] of directed) put(a, b, c);
  const random = generator(0x51ed270b);
  const number = (low: number, high: number): number =>
    f16.round((1 + random()) * 2 ** Math.floor(low + random() * (high - low)));
  for (let i = 0; i < 300; i++) {
    const [a, b] = [number(-6, 6), number(-6, 6)];
    put(a, b, number(-12, 12));
    put(a, b, f16.round(a * b));
    put(number(-14, -4), number(-14, -4), number(-20, -10));
    put(number(-16, -12), number(-16, -12), number(-15, -13));
  }
  return Float32Array.from(values);
}
