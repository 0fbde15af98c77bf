import type { Encoding } from '../coding/code.ts';
import { unseededRounding } from '../messages.ts';

/**
 * Whether a magnitude of `whole` + `rest` units, 0 ≤ rest < 1, becomes `whole` + 1 of them. Ties of `nearest` go to the even
 * number; `stochastic` goes up with the chance `rest`, so that its mean is the exact value.
 * @throws ParanoiaError `unseeded-rounding` for `stochastic` without random numbers: nobody could repeat what came of it.
 */
export function goesUp(whole: number, rest: number, isNegative: boolean, how: Encoding): boolean {
  const { rounding = 'nearest', random } = how;
  if (rounding === 'stochastic' && random === undefined) throw unseededRounding();
  if (rest === 0) return false;
  if (rounding === 'nearest') return rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
  if (rounding === 'nearest-away') return rest >= 0.5;
  if (random !== undefined && rounding === 'stochastic') return random() < rest;
  return rounding === 'up' ? !isNegative : rounding === 'down' && isNegative;
}

/**
 * Whether a finite number beyond the largest one does not become infinity: IEEE 754-2019, §7.4, leaves it at
 * the largest one where the direction of rounding is not away from it.
 */
export const staysFinite = (isNegative: boolean, { rounding = 'nearest' }: Encoding): boolean =>
  rounding === 'toward-zero' || rounding === (isNegative ? 'up' : 'down');
