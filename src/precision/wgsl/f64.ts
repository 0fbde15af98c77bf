import { addWgsl } from './f64-add.ts';
import { numberWgsl } from './f64-number.ts';
import type { Numeric } from './numeric.ts';

/**
 * The WGSL of the product of two operands, rounded to binary64.
 *
 * The significands X and Y are 56-bit integers, |X|, |Y| in [2^55, 2^56), in four limbs of 14 bits, each limb with the number's sign. A
 * column c_i sums the limb products of weight 2^(14i): at most four of them, each below 2^28 in magnitude, so |c_i| < 2^30, and with the
 * carry of the column below, |c_i| + 2^17 < 2^31: no 32-bit integer overflows, and no carry is needed before all columns are complete.
 * Shifts right are arithmetic, that is, rounded down, so the remainder of a column is in [0, 2^14) for any signs: X·Y in two's
 * complement.
 *
 * The part of X·Y from 2^56 up is kept: hi, the columns 6 and up, and 28 bits of lo, left-aligned. For the four columns below, rounding
 * only needs to know if they are all zero: the sticky bit, or-ed into bit 0 of lo, whose four low bits are free. So v = hi·2³² + lo has
 * |v| in [2^58, 2^60) and the scale e = e_x + e_y − 1021.
 *
 * A product of normal size has 53 bits from its leading one: if |v| < 2^59, down to bit 6, otherwise down to bit 7. Adding half a unit
 * less one, and one more if the unit is odd, then cutting the bits below off, rounds to nearest, ties to even; in two's complement it
 * does so for negative v too, as cutting off rounds down there as well. (v = −2^59, and it alone, is taken for the binade below. It is
 * no less exact there.) Rounded, |v| ≤ 2^60, so with 3 ≤ e ≤ 2046 the product is surely normal, and finite.
 *
 * All other cases take the rare path: e outside that range also identifies every zero, infinity and NaN. For e ≤ 2 the product is below
 * 2^-1021, where a unit is 2^-1074, bit 7 on the scale e = 2, for subnormal and normal products alike. It is brought to that scale with
 * a sticky bit, so that it is rounded once.
 */
const multiplyWgsl = `
fn f64RawProduct(x: F64Operand, y: F64Operand) -> F64 {
  let c0 = x.a * y.a;
  let c1 = x.a * y.b + x.b * y.a + (c0 >> 14u);
  let c2 = x.a * y.c + x.b * y.b + x.c * y.a + (c1 >> 14u);
  let c3 = x.a * y.d + x.b * y.c + x.c * y.b + x.d * y.a + (c2 >> 14u);
  let c4 = x.b * y.d + x.c * y.c + x.d * y.b + (c3 >> 14u);
  let c5 = x.c * y.d + x.d * y.c + (c4 >> 14u);
  let hi = x.d * y.d + (c5 >> 14u);
  let sticky = min(bitcast<u32>(c0 | c1 | c2 | c3) & 0x3fffu, 1u);
  let lo = (bitcast<u32>(c5) << 18u) | ((bitcast<u32>(c4) << 4u) & 0x3fff0u) | sticky;
  return F64(hi, lo, x.e + y.e - 1021i);
}

fn f64Wide(v: F64) -> u32 { return bitcast<u32>(v.hi ^ (v.hi >> 31u)) >> 27u; }

fn f64RoundProduct(v: F64, wide: u32) -> F64 {
  let lo = v.lo + (31u + 32u * wide) + ((v.lo >> (6u + wide)) & 1u);
  return F64(v.hi + bitcast<i32>((v.lo & ~lo) >> 31u), lo & (0xffffffc0u << wide), v.e);
}

fn f64RareProduct(x: F64Operand, y: F64Operand, product: F64) -> F64 {
  let negative = ((x.d < 0i) || x.e == F64_NEGATIVE_ZERO) != ((y.d < 0i) || y.e == F64_NEGATIVE_ZERO);
  if (f64IsNan(max(x.e, y.e))) { return f64Nan(); }
  let zero = f64IsZero(min(x.e, y.e));
  if (f64IsSpecial(max(x.e, y.e))) {
    if (zero) { return f64Nan(); }
    return f64InfinityOf(negative);
  }
  if (zero) { return f64ZeroOf(negative); }
  if (product.e <= 2i) {
    let v = f64ShiftRight(product.hi, product.lo, u32(2i - product.e));
    let tiny = f64RoundProduct(F64(bitcast<i32>(v.y), v.x, 2i), 1u);
    if ((bitcast<u32>(tiny.hi) | tiny.lo) == 0u) { return f64ZeroOf(negative); }
    return tiny;
  }
  let rounded = f64RoundProduct(product, f64Wide(product));
  let magnitude = f64Signed(bitcast<u32>(rounded.hi), rounded.lo, negative).y;
  if (rounded.e > 2048i) { return f64InfinityOf(negative); }
  if (rounded.e > 2046i && magnitude >= (0x10000000u >> u32(rounded.e - 2047i))) {
    return f64InfinityOf(negative);
  }
  return rounded;
}
`;

/**
 * IEEE 754 binary64 in 32-bit integer arithmetic: + and × rounded to nearest, ties to even, with subnormal numbers, infinities, NaN and
 * the signs of zeros; bit for bit JavaScript's results. A multiply-add rounds the product, then the sum. Entries lie in memory as
 * little-endian doubles: x is the low word, y the high one.
 */
export const binary64: Numeric = {
  words: 2,
  enables: '',
  prelude: [numberWgsl, multiplyWgsl, addWgsl].join(''),
  lanes: false,
  memory: () => 'vec2<u32>',
  operand: () => 'F64Operand',
  value: () => 'F64',
  zero: () => 'f64ZeroOf(false)',
  load: (entry) => `f64Load(${entry})`,
  prepare: (entry) => `f64Prepare(${entry})`,
  splat: (operand) => operand,
  store: (value) => `f64Store(${value})`,
  constant: (x) => `f64Prepare(${wordsOf(x)})`,
  factorOf: (value) => `f64Prepare(f64Store(${value}))`,
  multiplyAdd: (x, y, sum) => `f64MultiplyAdd(${x}, ${y}, ${sum})`,
  add: (a, b) => `f64Add(${a}, ${b})`,
  subtract: (a, b) => `f64Add(${a}, f64Negate(${b}))`,
  negate: (a) => `f64Negate(${a})`,
};

/** Returns the low and the high word of a double as WGSL. */
function wordsOf(x: number): string {
  const [low, high] = new Uint32Array(new Float64Array([x]).buffer);
  return `vec2<u32>(${low}u, ${high}u)`;
}
