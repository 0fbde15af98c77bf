import { mapEntries } from '../fitted.ts';
import { integers } from '../integers.ts';
import { plainEdit } from './edit.ts';

/** Edit that replaces every entry by the signed power of two at or below its size. Whole numbers stay whole, and do not grow. */
export const powers = plainEdit({
  name: 'powers',
  what: 'Every entry becomes ± the power of two at or below it.',
  traits: (before) => ({ ...before, statistics: 'structured' }),
  apply({ a, b }) {
    for (const of of [a, b]) mapEntries(of, powerBelow);
  },
});

/** Edit that adds the constant column of a model with an intercept. */
export const intercept = plainEdit({
  name: 'intercept',
  what: 'The first column of A becomes ones.',
  // Ones need bits of their own beside numbers of another scale.
  traits: (before) =>
    before.opposed === true || before.hasUnits === true || before.exactness === 'classical'
      ? { ...before, exactness: 'none' }
      : before,
  apply({ a: { rows, cols, data } }) {
    if (cols > 0) for (let row = 0; row < rows; row++) data[row * cols] = 1;
  },
});

/** Edit that replaces every finite nonzero entry by ±1. Every sum is a whole number of at most k. */
export const ones = plainEdit({
  name: 'ones',
  what: 'Every finite entry other than 0 becomes ±1.',
  traits: ({ specials }) => ({
    statistics: 'structured',
    exactness: specials ? 'none' : 'integers',
    reach: { entries: 1, sums: 15 },
    specials,
  }),
  accepts: (shape) => integers.accepts(shape),
  apply({ a, b }) {
    for (const of of [a, b]) mapEntries(of, (x) => (Number.isFinite(x) && x !== 0 ? Math.sign(x) : x));
  },
});

/**
 * Edit that replaces every entry by one that is multiplied without rounding. In a precision that rounds its operands, only the error of the
 * sums remains.
 */
export const held = plainEdit({
  name: 'held',
  what: 'Every entry is rounded to the format in which it is multiplied.',
  apply({ a, b }, { multiplied }) {
    for (const of of [a, b]) mapEntries(of, multiplied.round);
  },
});

/** Returns ±2^⌊log2 |x|⌋, exactly. Zero, NaN and infinities stay as they are. */
function powerBelow(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const size = Math.abs(x);
  let power = 2 ** Math.floor(Math.log2(size));
  // The logarithm may be rounded up to the next whole number.
  if (power > size) power /= 2;
  if (2 * power <= size) power *= 2;
  return Math.sign(x) * power;
}
