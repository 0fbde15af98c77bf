import { OURS, type Registry, registryOf } from '../base/registry.ts';
import { codings } from './coding/codings.ts';
import { scaledPrecision } from './coding/scaled-precision.ts';
import { definePrecision } from './define-precision.ts';
import { doublePrecision } from './double.ts';
import { bf16, type CodedFormat, type Format, f16, f32, splitFormat, tf32 } from './format.ts';
import { e2m1, e2m3, e3m2, e4m3, e4m3fnuz, e5m2, e5m2fnuz } from './formats/floats.ts';
import { int4, int8, uint8 } from './formats/whole-formats.ts';
import { halfPrecision } from './half.ts';
import { pairPrecision } from './pairs.ts';
import { positPrecision } from './posit.ts';
import { type Precision, setStoredFormat } from './precision.ts';
import { singlePrecision } from './single.ts';
import { wholePrecision } from './whole-numbers.ts';

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

/** Returns a precision of the kind that the matrix units of GPUs compute. */
const mixed = (multiplied: Format): Precision =>
  definePrecision({
    name: `${multiplied.name}-f32`,
    what: `binary32 entries, rounded to ${multiplied.name} before they are multiplied, summed in binary32`,
    source: OURS,
    stored: f32,
    multiplied,
  });

/** Returns a precision of operands in parts, without the small products of parts. */
const inParts = (...of: Parameters<typeof splitFormat>): Precision => {
  const [{ name }, count, products] = of;
  const multiplied = splitFormat(...of);
  return definePrecision({
    name: `${multiplied.name}-f32`,
    what: `binary32 entries, each split into a sum of ${count} ${name} numbers; each product is ${products} products of these, summed in binary32`,
    source: name === 'tf32' ? 'NVIDIA CUTLASS, 3xTF32' : 'Henry, Tang, Heinecke 2019, arXiv 1904.06376',
    stored: f32,
    multiplied,
  });
};

/**
 * Returns a precision of entries of few bits, multiplied unchanged and summed in binary32; results are those sums, or rounded once more.
 */
const fromEntries = (stored: CodedFormat, result: Format = f32): Precision =>
  definePrecision({
    name: `${stored.name}-f32${result === f32 ? '' : `-${result.name}`}`,
    what: `${stored.name} entries, multiplied as they are, summed in binary32${result === f32 ? '' : `, results rounded to ${result.name}`}`,
    source: stored.source,
    ...{ stored, result, accumulated: f32 },
  });

/** The precisions with distinct shader numbers. For others, a gate of our kernels shows little more. */
const sampled: readonly Precision[] = [
  singlePrecision,
  halfPrecision,
  mixed(f16),
  mixed(bf16),
  mixed(tf32),
  doublePrecision,
  pairPrecision,
  complexSingle,
  complexDouble,
];

/** The built-in precisions. A config may bring more. */
export const precisions: Registry<Precision> = registryOf('precision', [
  ...sampled,
  inParts(tf32, 2, 3),
  inParts(bf16, 2, 3),
  inParts(bf16, 3, 6),
  inParts(bf16, 3, 9),
  fromEntries(f16, f16),
  fromEntries(bf16, bf16),
  fromEntries(e4m3),
  fromEntries(e4m3, bf16),
  fromEntries(e5m2),
  fromEntries(e4m3fnuz),
  fromEntries(e5m2fnuz),
  fromEntries(e3m2),
  fromEntries(e2m3),
  fromEntries(e2m1),
  wholePrecision(int8),
  wholePrecision(uint8, int8),
  wholePrecision(int4),
  positPrecision,
  ...codings.items.map((coding) => scaledPrecision(coding)),
  ...codings.items.flatMap((coding) => [bf16, f16].map((result) => scaledPrecision(coding, result))),
]);

/** True if the entries of a precision are complex, which only some built-in ones are. */
export const isComplex = (name: string): boolean => precisions.get(name)?.complex === true;

/** The names of the built-in precisions. */
export const precisionNames: readonly string[] = precisions.names;

/**
 * True if a gate of our kernels draws cases in a precision by default. Precisions that differ only in formats of entries and results are
 * not drawn.
 */
export const isSampled = (precision: Precision): boolean =>
  sampled.includes(precision) || precisions.get(precision.name) !== precision;

/** True if shaders of ours compute in it. */
export const hasShaders = ({ wgsl }: Precision): boolean => typeof wgsl !== 'string';

/** The names of the formats of A, B and D. */
export interface FormatNames {
  readonly a: string;
  readonly b: string;
  /** @defaultValue any */
  readonly d?: string | undefined;
}

/**
 * Finds the precision of a product by the formats of A, B and D: A and B are multiplied as they are, and summed in the widest format of
 * all such precisions, as libraries do. Undefined if no precision has these formats.
 */
export function precisionOfFormats(
  { a, b, d }: FormatNames,
  precisions: Registry<Precision>,
): Precision | undefined {
  const fitting = precisions.items.filter(
    (one) =>
      one.coded === undefined &&
      one.complex !== true &&
      (d === undefined || one.d.name === d) &&
      one.multiplied.name === a &&
      (b === a || (one.a.name === a && one.b.name === b)),
  );
  const bits = ({ accumulated }: Precision) => accumulated.precision;
  return fitting.reduce<Precision | undefined>(
    (widest, one) => (widest === undefined || bits(one) > bits(widest) ? one : widest),
    undefined,
  );
}
