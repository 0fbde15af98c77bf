import type { Random } from '../base/random.ts';
import { formats } from '../precision/formats/formats.ts';
import type { NumberDraw } from './parameters.ts';

/** Draws from 1/2 to 2: a power of two for one number in three, else all bits. */
const around = (random: Random): number =>
  random.int(1, 3) === 1 ? 2 ** random.int(-1, 1) : random.uniform(0.5, 2);

/** Draws addends as large as the entries, so that a missing one is seen; one in eight is 0. */
export const addend: NumberDraw = (random, size) =>
  random.int(1, 8) === 1 ? 0 : random.sign() * around(random) * size;

/** Draws factors that bring entries to sizes near 1, where activations differ; one in four is negative. */
export const factor: NumberDraw = (random, size) =>
  (random.int(1, 4) === 1 ? -1 : 1) * (around(random) / size);

/** Draws steps between codes for which most entries are within the range, and some beyond. */
export const codeStep: NumberDraw = (random, size, { to }) =>
  (around(random) * 4 * size) / 2 ** Math.ceil(Math.log2(formats.find(to as string).maxFinite));

/** Draws a code of 0 in the middle half of the range; formats of floating-point numbers have none. */
export const codeOfZero: NumberDraw = (random, _, { to }) => {
  const { holds, maxFinite, minSubnormal } = formats.find(to as string);
  if (holds.nan || minSubnormal !== 1) return 0;
  const half = Math.ceil(maxFinite / 2);
  return holds.negative ? random.sign() * random.int(1, half) : random.int(1, half) + Math.floor(half / 2);
};

/** Draws a slope below 1. */
export const slopeBelowOne: NumberDraw = (random) => around(random) / 4;

/** Draws an end of a range that cuts some entries. */
export const endOfRange =
  (sign: number): NumberDraw =>
  (random, size) =>
    sign * around(random) * size;
