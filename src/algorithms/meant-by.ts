import { toNumber } from '../base/rational.ts';
import { coefficientFraction, convergents, factorText, fractionOfDouble, isSmall } from './coefficient.ts';
import { isDyadic } from './dyadic.ts';

/** Returns the fraction that a number with few decimals may mean, as text: 1/3 for 0.333. */
export function guessFraction(x: number): string | undefined {
  if (!Number.isFinite(x)) return undefined;
  const { den } = coefficientFraction(x);
  if (den <= LARGEST_MEANT || (isSmall(coefficientFraction(x)) && 10n ** 4n % den !== 0n)) return undefined;
  const near = [...convergents(fractionOfDouble(x))].find(
    (one) => one.den <= LARGEST_MEANT && Math.abs(toNumber(one) - x) < CLOSE * Math.abs(x),
  );
  return near && !isDyadic(toNumber(near)) ? factorText(toNumber(near)) : undefined;
}

/** Largest denominator of a guess, and the largest relative distance from it. */
const [LARGEST_MEANT, CLOSE] = [16n, 0.02];
