import { doublePrecision } from './double.ts';
import type { Format } from './format.ts';
import { type Precision, setStoredFormat } from './precision.ts';
import { singlePrecision } from './single.ts';

/** Builds a precision with complex entries. A part of a product has twice as many terms, which leaves whole numbers one bit less. */
function complex(name: string, { multiplied, ...real }: Precision): Precision {
  const part: Format = { ...multiplied, integerBits: multiplied.integerBits - 1 };
  return {
    ...real,
    name,
    what: `complex numbers, real and imaginary parts in ${part.name}`,
    source: 'ISO/IEC 9899:2024, §6.2.5',
    ...setStoredFormat(part),
    multiplied: part,
    accumulated: part,
    complex: true,
  };
}

export const complexSingle: Precision = complex('c32', singlePrecision);
export const complexDouble: Precision = complex('c64', doublePrecision);
