import type { Numeric } from './numeric.ts';

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
export const whole: Numeric = {
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
