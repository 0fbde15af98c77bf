import { type Format, f32, f64 } from '../format.ts';
import type { Coding } from './coding.ts';

/** The bits that products of elements and factors take. */
function bitsOf({ element, scales, zero }: Coding): number {
  // A whole number less a zero point may take one bit more, and so may the least of two's complement.
  const ofElement = element.precision + (zero === undefined ? 0 : 1);
  return scales.reduce((sum, { format }) => sum + (format.precision > 1 ? format.precision : 0), ofElement);
}

/**
 * What holds every number of a coding: binary32 where their bits fit it and the smallest is no smaller than its own, else
 * binary64. Powers of two may be so large that binary32 overflows: those are refused where numbers are decoded.
 */
export function decodedFormat(coding: Coding): Format {
  const least = coding.scales.reduce(
    (size, { format }) => size * format.minSubnormal,
    coding.element.minSubnormal,
  );
  return bitsOf(coding) <= f32.precision && least >= f32.minSubnormal ? f32 : f64;
}
