import type { Encoding } from '../coding/code.ts';
import { unseededRounding } from '../messages.ts';

/**
 * True if a magnitude of `whole` + `rest` units, 0 ≤ rest < 1, rounds to `whole` + 1. Ties of `nearest` go to the even number;
 * `stochastic` goes up with probability `rest`, so that its mean is the exact value.
 * @throws ParanoiaError `unseeded-rounding` for `stochastic` without random numbers: its results could not be repeated.
 */
export function roundsUp(whole: number, rest: number, isNegative: boolean, how: Encoding): boolean {
  const { rounding = 'nearest', random } = how;
  if (rounding === 'stochastic' && random === undefined) throw unseededRounding();
  if (rest === 0) return false;
  if (rounding === 'nearest') return rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
  if (rounding === 'nearest-away') return rest >= 0.5;
  if (random !== undefined && rounding === 'stochastic') return random() < rest;
  return rounding === 'up' ? !isNegative : rounding === 'down' && isNegative;
}

/**
 * True if a finite number beyond the largest one stays finite: IEEE 754-2019, §7.4, rounds it to the largest one if the direction of
 * rounding is not away from it.
 */
export const staysFinite = (isNegative: boolean, { rounding = 'nearest' }: Encoding): boolean =>
  rounding === 'toward-zero' || rounding === (isNegative ? 'up' : 'down');
