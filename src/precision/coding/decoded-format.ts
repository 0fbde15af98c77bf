import { type Format, f32, f64 } from '../format.ts';
import { type Coding, hasMinima } from './coding.ts';

/** Returns the bits of products of elements and factors. A minimum may lie far below or above them, within those of binary64. */
function bitsOf({ element, scales, zero }: Coding): number {
  if (hasMinima({ scales })) return Number.POSITIVE_INFINITY;
  // A whole number minus a zero point may take one bit more, and so may the least number of two's complement.
  const ofElement = element.precision + (zero === undefined ? 0 : 1);
  return scales.reduce((sum, { format }) => sum + (format.precision > 1 ? format.precision : 0), ofElement);
}

/**
 * Returns a format that holds every number of a coding: binary32 if their bits fit it and the smallest is no smaller than its own,
 * otherwise binary64. Powers of two may be so large that binary32 overflows; decoding refuses those.
 */
export function decodedFormat(coding: Coding): Format {
  const least = coding.scales.reduce(
    (size, { format }) => size * format.minSubnormal,
    coding.element.minSubnormal,
  );
  return bitsOf(coding) <= f32.precision && least >= f32.minSubnormal ? f32 : f64;
}
