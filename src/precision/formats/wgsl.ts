import type { CodedFormat } from '../format.ts';
import { hexLiteral } from '../wgsl/rounding.ts';

/** The text of WGSL functions, and the name of the one to call. */
export interface CodeFunction {
  readonly name: string;
  readonly declaration: string;
}

/**
 * Returns `fn name(at: u32) -> u32`: pattern number `at` of those packed in a buffer of words. Patterns of 4 bits lie eight to a word,
 * up to 8 bits four, 16 bits two, the first one low.
 * @param buffer the name of an `array<u32>` in storage.
 */
export function makeLoadFunction(name: string, bits: number, buffer: string): CodeFunction {
  const room = bits <= 4 ? 4 : bits <= 8 ? 8 : bits <= 16 ? 16 : 32;
  const each = 32 / room;
  const mask = hexLiteral(2 ** bits - 1);
  return {
    name,
    declaration: `fn ${name}(at: u32) -> u32 { return (${buffer}[at / ${each}u] >> (${room}u * (at % ${each}u))) & ${mask}; }`,
  };
}

/**
 * Returns `fn name(pattern: u32) -> f32`: the exact number of a pattern of at most 8 bits, assembled from bits of binary32. The only
 * subnormal among these numbers is 2^-127 of e8m0. It is returned unchanged, and a device that flushes takes it, or its products, for
 * zero.
 */
export function makeDecodeFunction(name: string, format: CodedFormat): CodeFunction {
  return { name, declaration: `fn ${name}(pattern: u32) -> f32 {\n${numberOfPattern(format)}\n}` };
}

function numberOfPattern(format: CodedFormat): string {
  if (format.numbers !== undefined) return listedNumber(format.numbers);
  return format.precision === 1 ? POWERS : hasExponent(format) ? floatBits(format) : wholeBits(format);
}

/** True if a format has exponents; others are multiples of one unit. */
const hasExponent = ({ minNormal, maxFinite }: CodedFormat): boolean => 2 * minNormal <= maxFinite;

const POWERS = `  var bits = select(pattern << 23u, 0x00400000u, pattern == 0u);
  if (pattern == 0xffu) { bits = 0x7fc00000u; }
  return bitcast<f32>(bits);`;

const listedNumber = (numbers: readonly number[]): string =>
  `  var numbers = array<f32, ${numbers.length}>(${numbers.map((x) => `${x}.0f`).join(', ')});
  return numbers[pattern];`;

function wholeBits({ code, holds, minSubnormal }: CodedFormat): string {
  const free = `${32 - code.bits}u`;
  const whole = holds.negative ? `(bitcast<i32>(pattern << ${free}) >> ${free})` : 'pattern';
  return `  return f32(${whole}) * ${minSubnormal}f;`;
}

/** Returns the places of a format's bit fields, and the distance of its exponents from binary32's. */
function placesOf({ code, holds, precision, minNormal, maxFinite }: CodedFormat) {
  const fraction = precision - 1;
  return {
    fraction,
    sign: code.bits - 1,
    width: holds.negative ? code.bits - 1 : code.bits,
    shift: 24 - precision,
    bias: 126 + Math.log2(minNormal),
    largest: code.encode(maxFinite),
  };
}

/** NaN is a variable, since WGSL refuses a constant NaN. */
function floatBits(format: CodedFormat): string {
  const { code, holds, minSubnormal } = format;
  const { fraction, sign, width, shift, bias, largest } = placesOf(format);
  const isFnuz = holds.nan && code.encode(Number.NaN) === 2 ** width;
  const beyond = isFnuz ? `pattern == ${hexLiteral(2 ** width)}` : `rest > ${hexLiteral(largest)}`;
  const special = holds.infinity
    ? `select(0x7fc00000u, 0x7f800000u, rest == ${hexLiteral(code.encode(Number.POSITIVE_INFINITY))})`
    : '0x7fc00000u';
  return `  let rest = pattern & ${hexLiteral(2 ** width - 1)};
  var bits = (rest << ${shift}u) + ${hexLiteral(bias * 2 ** 23)};
  if (rest < ${hexLiteral(2 ** fraction)}) { bits = bitcast<u32>(f32(rest) * ${minSubnormal}f); }
${holds.nan ? `  if (${beyond}) { bits = ${special}; }\n` : ''}  return bitcast<f32>(bits${holds.negative ? ` | ((pattern >> ${sign}u) << 31u)` : ''});`;
}
