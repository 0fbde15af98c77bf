import { type Format, f32 } from '../format.ts';

/** A WGSL function that rounds a binary32 number to a narrower format, for one entry and for four. */
export interface RoundingFunction {
  readonly declaration: string;
  /** The name for one entry; for four it ends in 4. */
  readonly name: string;
}

/**
 * Returns the rounding to the leading bits of a binary32 number, ties to even, by integer arithmetic, as for bfloat16 (16 bits less) and
 * TensorFloat-32 (13 less). A carry moves into the exponent; NaN and infinities stay unchanged.
 */
function roundOff(name: string, bits: number): RoundingFunction {
  const half = `${(1 << (bits - 1)) - 1}u`;
  const kept = `${(0xffffffff << bits) >>> 0}u`;
  const body = (scalar: string, word: string) => `
  let bits = bitcast<${word}>(x);
  let rounded = (bits + ${half} + ((bits >> ${word}(${bits}u)) & ${word}(1u))) & ${word}(${kept});
  let special = (bits & ${word}(0x7f800000u)) == ${word}(0x7f800000u);
  return bitcast<${scalar}>(select(rounded, bits, special));
`;
  return {
    name,
    declaration: `fn ${name}(x: f32) -> f32 {${body('f32', 'u32')}}
fn ${name}4(x: vec4<f32>) -> vec4<f32> {${body('vec4<f32>', 'vec4<u32>')}}`,
  };
}

/**
 * Returns the rounding to a format of fewer bits and exponents than binary32, ties to even, subnormals kept, overflow to infinity. It
 * uses integer arithmetic, since quantizeToF16 does not round to nearest everywhere. From the smallest normal number up, a fixed number
 * of bits is rounded off; below, the significand is shifted to multiples of the smallest subnormal number.
 */
export function roundingExpression(
  name: string,
  { precision, minNormal, minSubnormal, maxFinite }: Format,
): RoundingFunction {
  const bits = 24 - precision;
  const least = Math.log2(minSubnormal);
  return {
    name,
    declaration: `fn ${name}(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let sign = bits & 0x80000000u;
  let size = bits & 0x7fffffffu;
  if (size >= 0x7f800000u) { return x; }
  if (size >= ${pattern(minNormal)}) {
    let rounded = (size + ${hexLiteral(2 ** (bits - 1) - 1)} + ((size >> ${bits}u) & 1u)) & ${hexLiteral((0xffffffff << bits) >>> 0)};
    return bitcast<f32>(sign | select(rounded, 0x7f800000u, rounded > ${pattern(maxFinite)}));
  }
  let shift = ${150 + least}u - (size >> 23u);
  if (shift > 24u) { return bitcast<f32>(sign); }
  let significand = (size & 0x7fffffu) | 0x800000u;
  let below = significand >> shift;
  let rest = significand - (below << shift);
  let half = 1u << (shift - 1u);
  let up = u32(rest > half || (rest == half && (below & 1u) == 1u));
  return bitcast<f32>(sign | bitcast<u32>(f32(below + up) * 0x1p${least}));
}
fn ${name}4(x: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(${name}(x.x), ${name}(x.y), ${name}(x.z), ${name}(x.w));
}`,
  };
}

/** Formats a word as a WGSL literal. */
export const hexLiteral = (word: number): string => `0x${word.toString(16)}u`;

/** Returns the bits of a binary32 number as a WGSL literal. */
const pattern = (x: number): string => hexLiteral(new Uint32Array(Float32Array.of(x).buffer)[0]);

/** Returns the rounding of binary32 numbers to a format: to the leading bits if its exponents are binary32's. */
export const roundingFunction = (name: string, format: Format): RoundingFunction =>
  format.minNormal === f32.minNormal
    ? roundOff(name, 24 - format.precision)
    : roundingExpression(name, format);
