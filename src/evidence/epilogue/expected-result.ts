import type { Decimal } from 'decimal.js';
import { lookUp } from '../../base/objects.ts';
import { decimalReals, doubleToOdd } from '../../epilogue/decimal-reals.ts';
import type { EntryNumbers } from '../../epilogue/entry-numbers.ts';
import { exactResults } from '../../epilogue/evaluate.ts';
import type { Interval } from '../../epilogue/interval.ts';
import type { WeighedEpilogue } from './weigh-epilogue.ts';

/** Decimal digits at which an exact result is tried, the next where its rounding is not decided. */
const DIGITS = [40, 80, 160, 320, 640, 1280];

/**
 * Returns the exact result of an entry of D, correctly rounded to its format: functions are enclosed with growing precision until both
 * ends round alike. Where a sum or a number of a step is NaN or infinite, its limit.
 */
export function expectedResult(weighed: WeighedEpilogue, place: number): number {
  const { epilogue, target, found, exact, product } = weighed;
  const { lo, hi } = exact(place);
  if (!Number.isFinite(lo) || !Number.isFinite(hi)) return target.result(lo === hi ? lo : Number.NaN);
  const [i, j] = [Math.floor(place / found.cols), place % found.cols];
  if (!isFiniteAt(weighed, i, j)) return target.result(lo / 2 + hi / 2);
  for (const digits of DIGITS) {
    const reals = decimalReals(digits);
    const ends = exactResults(epilogue, reals, (row, col) => sumIn(product, reals, row, col))(i, j);
    const [least, most] = [ends.lo, ends.hi].map((x) => target.result(doubleToOdd(x)));
    if (Object.is(least + 0, most + 0)) return least;
  }
  return target.result(lo / 2 + hi / 2);
}

/** True if the sums of an entry and the numbers of all steps are finite. */
function isFiniteAt(
  { epilogue, found, product: { at, reference } }: WeighedEpilogue,
  i: number,
  j: number,
): boolean {
  const sums = Array.from(
    { length: epilogue.sizes.n / found.cols },
    (_, half) => reference.value[at(i, j + half * found.cols) as number],
  );
  const numbers = epilogue.steps.flatMap(({ record: { parameters }, settings }) =>
    Object.entries(parameters)
      .filter(([, { tensor }]) => tensor !== undefined)
      .map(([key]) => lookUp(settings, key) as EntryNumbers),
  );
  return (
    sums.every(Number.isFinite) &&
    numbers.every((of) => (typeof of === 'number' ? Number.isFinite(of) : of.data.every(Number.isFinite)))
  );
}

/** Encloses an exact sum without the addend of the first step; its low part may be rounded. */
function sumIn(
  { at, reference: { value, low, certificate }, addend }: WeighedEpilogue['product'],
  reals: ReturnType<typeof decimalReals>,
  i: number,
  j: number,
): Interval<Decimal> {
  const t = at(i, j) as number;
  const bare = reals.add(reals.add(reals.of(value[t]), reals.of(low[t])), reals.of(-addend(i, j)));
  if (low[t] === 0 && certificate.worstAbsolute === 0) return bare;
  const reach = Math.abs(low[t]) * 2 ** -53 + certificate.worstAbsolute;
  return reals.add(bare, { lo: reals.of(-reach).lo, hi: reals.of(reach).hi });
}
