import { exponentOf, lowestBit } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import type { Format } from '../format.ts';
import type { Coding } from './coding.ts';
import { type Ends, endsOf } from './ends.ts';

/** Exponents of powers of two, both ends included. */
export interface Exponents {
  readonly least: number;
  readonly most: number;
}

export const ANY: Exponents = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
export const NONE: Exponents = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
/** So many binades a drawn factor may lie above the smallest one that there is; that of a block of zeros, from 1. */
const DRAWN = 8;

/** The powers of two that a format of factors has. */
export const powersOf = ({ minSubnormal, maxFinite }: Format): Exponents => ({
  least: exponentOf(minSubnormal),
  most: exponentOf(maxFinite),
});

/** The powers of two that bring all of some numbers to elements exactly; undefined where none does. Zeros allow any. */
export function exactPowers(values: Float64Array, { element, zero }: Coding): Exponents | undefined {
  const { largest, smallest, lowest } = extentOf(values);
  if (lowest === Number.POSITIVE_INFINITY) return ANY;
  const [ends, last] = [endsOf(element), exponentOf(element.minSubnormal)];
  const fits =
    zero === undefined ? within(ends) : ({ least, most }: Ends) => most - least <= ends.most - ends.least;
  let least = exponentOf(Math.max(largest, -smallest)) - exponentOf(element.maxFinite) - 1;
  while (!fits({ least: smallest * 2 ** -least, most: largest * 2 ** -least })) least++;
  const most = lowest - last;
  if (least > most) return undefined;
  const inverse = 2 ** -least;
  const isHeld = (x: number) => !Number.isFinite(x) || element.round(x * inverse) === x * inverse;
  return zero !== undefined || values.every(isHeld) ? { least, most } : undefined;
}

const within =
  (ends: Ends) =>
  ({ least, most }: Ends): boolean =>
    least >= ends.least && most <= ends.most;

/** The largest and the smallest of finite numbers and 0, and the exponent of the lowest bit of any that is not 0. */
function extentOf(values: Float64Array) {
  let [largest, smallest, lowest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const x of values) {
    if (x === 0 || !Number.isFinite(x)) continue;
    if (x > largest) largest = x;
    if (x < smallest) smallest = x;
    lowest = Math.min(lowest, lowestBit(x));
  }
  return { largest, smallest, lowest };
}

/** The powers that two ranges have both. */
export const common = (a: Exponents, b: Exponents): Exponents => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});

/**
 * One of the exponents that two ranges have both: the least, of those that have no least the one nearest to 0; or drawn from those
 * a few binades above it. Undefined where there is none.
 */
export function pick(span: Exponents, of: Exponents, random: Random | undefined): number | undefined {
  const { least, most } = common(span, of);
  if (least > most) return undefined;
  const isAny = span.least === Number.NEGATIVE_INFINITY;
  const within = (exponent: number) => Math.min(most, Math.max(least, exponent));
  const low = isAny ? within(random === undefined ? 0 : -DRAWN) : least;
  return random === undefined ? low : random.int(low, within(low + (isAny ? 2 : 1) * DRAWN));
}
