import type { RealArray } from '../matrix/dense.ts';
import { addProduct } from './add-product.ts';
import { emulated } from './arithmetic.ts';
import type { Format } from './format.ts';
import { i32, int8 } from './formats/whole-formats.ts';
import type { HostNumbers, Precision } from './precision.ts';
import type { Numeric } from './wgsl/numeric.ts';

/** The format of exact sums as 32-bit integers, kept in doubles. Sums out of range wrap or saturate, if that is claimed. */
const sums: Format = { ...i32, bytes: 8, unitRoundoff: 0 };

const numbers: HostNumbers = {
  create: (length) => new Float64Array(length),
  // Integers have no −0.
  negate: (a) => 0 - a,
  add: (a, b) => a + b,
  multiplyAdd: (c, x, sum) => c * x + sum + 0,
  multiply(x: RealArray, y: RealArray, shape, out: RealArray) {
    out.fill(0);
    addProduct(Float64Array.from(x), Float64Array.from(y), shape, out as Float64Array);
  },
};

/** Returns a precision of whole numbers of few bits, multiplied and added exactly in 32 bits. */
export function wholePrecision(a: Format, b: Format = a): Precision {
  const pair = a === b ? a.name : `${a.name} (A) and ${b.name} (B)`;
  // The whole numbers that both formats hold.
  const both: Format = a === b ? a : { ...a, integerBits: Math.min(a.integerBits, b.integerBits) };
  return {
    name: `${a.name}-i32`,
    what: `${pair} entries, multiplied and added exactly in integers of 32 bits`,
    source: 'ONNX, MatMulInteger',
    ...{ a: both, b, c: sums, d: sums, multiplied: both, accumulated: sums },
    host: () => numbers,
    async wgsl(device) {
      const areInt8 = a === int8 && b === int8;
      const dot = areInt8 && (await device.packedDots()) ? 'dot4I8Packed' : undefined;
      return { numeric: { ...whole, dot }, arithmetic: emulated };
    },
  };
}

/** Conversions between doubles and 32-bit integers. Numbers outside the range, and NaN, become arbitrary integers. */
const conversions = `fn wholeOf(double: vec2<u32>) -> i32 {
  let exponent = (double.y >> 20u) & 0x7ffu;
  if (exponent < 1023u) { return 0i; }
  let leading = min(exponent - 1023u, 31u);
  let high = double.y & 0xfffffu;
  var size = 1u << leading;
  if (leading <= 20u) { size |= high >> (20u - leading); } else {
    size |= (high << (leading - 20u)) | (double.x >> (52u - leading));
  }
  return bitcast<i32>(select(size, ~size + 1u, (double.y >> 31u) == 1u));
}
fn doubleOf(whole: i32) -> vec2<u32> {
  if (whole == 0i) { return vec2<u32>(); }
  let bits = bitcast<u32>(whole);
  let size = select(bits, ~bits + 1u, whole < 0i);
  let leading = firstLeadingBit(size);
  let rest = size ^ (1u << leading);
  var double = vec2<u32>(0u, ((leading + 1023u) << 20u) | (bits & 0x80000000u));
  if (leading <= 20u) { double.y |= rest << (20u - leading); } else {
    double.y |= rest >> (leading - 20u);
    double.x = rest << (52u - leading);
  }
  return double;
}`;

/** 32-bit integers, which wrap. Entries lie in memory as doubles, which hold them exactly. */
const whole: Numeric = {
  words: 2,
  enables: '',
  prelude: conversions,
  lanes: false,
  memory: () => 'vec2<u32>',
  operand: () => 'i32',
  value: () => 'i32',
  zero: () => '0i',
  load: (entry) => `wholeOf(${entry})`,
  prepare: (entry) => `wholeOf(${entry})`,
  ofNumber: (number) => `i32(${number})`,
  splat: (operand) => operand,
  store: (value) => `doubleOf(${value})`,
  constant: (x) => `i32(${x})`,
  factorOf: (value) => value,
  multiplyAdd: (x, y, sum) => `${x} * ${y} + ${sum}`,
  add: (a, b) => `${a} + ${b}`,
  subtract: (a, b) => `${a} - ${b}`,
  negate: (a) => `-(${a})`,
};
