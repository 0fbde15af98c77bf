import { exponentOf } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import type { Format } from '../format.ts';
import type { Coding } from './coding.ts';
import { endsOf } from './ends.ts';
import type { BlockParameters } from './fill.ts';
import { powersOf } from './powers.ts';
import { extentOf, largestMagnitudeOf, signedFactor } from './recipes.ts';

/**
 * Returns the factor of a block whose elements are numbers of a table, with one level of signed factors.
 * - A block of zeros has the factor 0 where the table has no 0.
 * - A block that some factor codes exactly has such a factor, a drawn one with random numbers.
 * - Other whole numbers become multiples of a power of two, so that their sums stay exact.
 * - The largest of other numbers becomes the smallest element, as in llama.cpp's `quantize_row_iq4_nl_ref`.
 */
export function tableFactor(
  values: Float64Array,
  { element, scales: [scale] }: Coding,
  numbers: readonly number[],
  random: Random | undefined,
): BlockParameters {
  const extent = extentOf(values);
  const size = largestMagnitudeOf(extent);
  if (size === 0 && !numbers.includes(0)) return { factor: 0 };
  const exact = numbers
    .map((x) => scale.format.round((-extent.least > extent.most ? -size : size) / x))
    .filter((factor) => isCodedExactly(values, factor, element));
  if (exact.length > 0) return { factor: exact[random?.int(0, exact.length - 1) ?? 0] };
  const byRecipe = signedFactor(extent, scale, element);
  const power = values.every(Number.isInteger) ? powerFor(size, scale.format, element) : undefined;
  if (power === undefined) return { factor: byRecipe };
  return { factor: (random?.sign() ?? Math.sign(byRecipe)) * power };
}

function isCodedExactly(values: Float64Array, factor: number, { round }: Format): boolean {
  if (factor === 0 || !Number.isFinite(factor)) return false;
  return values.every((x) => round(x / factor) === x / factor);
}

/** Returns the least power of two by which elements reach a size; undefined where the format of factors has none. */
function powerFor(size: number, format: Format, element: Format): number | undefined {
  const { least } = endsOf(element);
  const exponent = exponentOf(size / -least) + 1;
  const powers = powersOf(format);
  return exponent < powers.least || exponent > powers.most ? undefined : 2 ** exponent;
}
