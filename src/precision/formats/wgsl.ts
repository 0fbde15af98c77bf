import type { CodedFormat } from '../format.ts';
import { hex, roundTo } from '../wgsl/rounding.ts';

/** The text of functions of WGSL, and what the one of them that is called is called. */
export interface CodeFunction {
  readonly name: string;
  readonly declaration: string;
}

/**
 * `fn name(at: u32) -> u32`: pattern number `at` of those that lie packed in a buffer of words: 4 bits eight to a word, up to 8 bits
 * four, 16 bits two, the first one low.
 * @param buffer the name of an `array<u32>` in storage.
 */
export function loading(name: string, bits: number, buffer: string): CodeFunction {
  const room = bits <= 4 ? 4 : bits <= 8 ? 8 : bits <= 16 ? 16 : 32;
  const each = 32 / room;
  const mask = hex(2 ** bits - 1);
  return {
    name,
    declaration: `fn ${name}(at: u32) -> u32 { return (${buffer}[at / ${each}u] >> (${room}u * (at % ${each}u))) & ${mask}; }`,
  };
}

/**
 * `fn name(pattern: u32) -> f32`: the number of a pattern of at most 8 bits, exactly, made of bits of binary32. Of all of them only
 * 2^-127 of e8m0 is subnormal there: it is returned as it is, and a device that flushes takes it for zero, or its products.
 */
export function decoding(name: string, format: CodedFormat): CodeFunction {
  const body = format.precision === 1 ? POWERS : hasExponent(format) ? floatBits(format) : wholeBits(format);
  return { name, declaration: `fn ${name}(pattern: u32) -> f32 {\n${body}\n}` };
}

/** What is not made of exponents is multiples of one unit. */
const hasExponent = ({ minNormal, maxFinite }: CodedFormat): boolean => 2 * minNormal <= maxFinite;

const POWERS = `  var bits = select(pattern << 23u, 0x00400000u, pattern == 0u);
  if (pattern == 0xffu) { bits = 0x7fc00000u; }
  return bitcast<f32>(bits);`;

function wholeBits({ code, holds, minSubnormal }: CodedFormat): string {
  const free = `${32 - code.bits}u`;
  const whole = holds.negative ? `(bitcast<i32>(pattern << ${free}) >> ${free})` : 'pattern';
  return `  return f32(${whole}) * ${minSubnormal}f;`;
}

/** Where the bits of a format lie, and how far its exponents are from binary32's. */
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

/** NaN is a variable: a constant that is NaN is refused. */
function floatBits(format: CodedFormat): string {
  const { code, holds, minSubnormal } = format;
  const { fraction, sign, width, shift, bias, largest } = placesOf(format);
  const isFnuz = holds.nan && code.encode(Number.NaN) === 2 ** width;
  const beyond = isFnuz ? `pattern == ${hex(2 ** width)}` : `rest > ${hex(largest)}`;
  const special = holds.infinity
    ? `select(0x7fc00000u, 0x7f800000u, rest == ${hex(code.encode(Number.POSITIVE_INFINITY))})`
    : '0x7fc00000u';
  return `  let rest = pattern & ${hex(2 ** width - 1)};
  var bits = (rest << ${shift}u) + ${hex(bias * 2 ** 23)};
  if (rest < ${hex(2 ** fraction)}) { bits = bitcast<u32>(f32(rest) * ${minSubnormal}f); }
${holds.nan ? `  if (${beyond}) { bits = ${special}; }\n` : ''}  return bitcast<f32>(bits${holds.negative ? ` | ((pattern >> ${sign}u) << 31u)` : ''});`;
}

/**
 * `fn name(x: f32) -> u32`: the pattern of a number, to nearest, ties to even, saturated, infinities too. What NaN becomes where there
 * is none is not said. Undefined of powers of two, which are factors alone.
 */
export function encoding(name: string, format: CodedFormat): CodeFunction | undefined {
  if (format.precision === 1) return undefined;
  const text = hasExponent(format) ? encodedFloat(name, format) : encodedWhole(name, format);
  return { name, declaration: text };
}

function encodedWhole(name: string, { code, holds, minSubnormal, maxFinite, round }: CodedFormat): string {
  const least = holds.negative ? round(-maxFinite - minSubnormal) / minSubnormal : 0;
  const whole = `i32(round(clamp(x * ${1 / minSubnormal}f, ${least}f, ${maxFinite / minSubnormal}f)))`;
  return `fn ${name}(x: f32) -> u32 { return bitcast<u32>(${whole}) & ${hex(2 ** code.bits - 1)}; }`;
}

function encodedFloat(name: string, format: CodedFormat): string {
  const { code, holds, minNormal, minSubnormal, maxFinite } = format;
  const { sign, shift, bias } = placesOf(format);
  const rounding = roundTo(`${name}Rounded`, format);
  const negative =
    code.encode(-0) === 0
      ? `select(0u, ${hex(2 ** sign)}, negative && pattern != 0u)`
      : `select(0u, ${hex(2 ** sign)}, negative)`;
  return `${rounding.declaration}
fn ${name}(x: f32) -> u32 {
  let word = bitcast<u32>(x);
  let negative = (word >> 31u) == 1u;
  let size = word & 0x7fffffffu;
${holds.nan ? `  if (size > 0x7f800000u) { return ${hex(code.encode(Number.NaN))}; }\n` : ''}${holds.negative ? '' : `  if (negative && size != 0u) { return ${hex(code.encode(Number.NaN))}; }\n`}  let rounded = ${rounding.name}(bitcast<f32>(min(size, ${hex(bitsOf(maxFinite))})));
  var pattern = (bitcast<u32>(rounded) >> ${shift}u) - ${hex(bias * 2 ** (23 - shift))};
  if (rounded < ${minNormal}f) { pattern = u32(rounded * ${1 / minSubnormal}f); }
  return pattern${holds.negative ? ` | ${negative}` : ''};
}`;
}

/** The bits of a binary32 number. */
const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0];
