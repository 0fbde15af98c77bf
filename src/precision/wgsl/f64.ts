import { numberWgsl } from './f64-number.ts';
import type { Numeric } from './numeric.ts';

/**
 * The WGSL of the sum of a value and a product, or of two values, rounded to binary64.
 *
 * The number with the smaller exponent is shifted right to the scale of the other; bits that fall off are or-ed into bit 0. With the
 * value's |v| ≤ 2^61 and the product's ≤ 2^60, the sum is below 2^62: it fits. It is then shifted left until its leading bit is bit 61,
 * rounded to the 53 bits down to bit 9, and halved, so that |v| ≤ 2^61 again, even if it was rounded up to a power of two. Rounding is
 * explained with the product. A second value takes the place of a product halved, which is exact, since values have zeros below bit 8.
 *
 * The or-ed bit is correct if it stays below bit 8, the half of the last place: there it decides a tie, and nothing but ties. Values
 * have zeros below bit 8 and products below bit 6. So nothing is lost in shifts up to 6. In longer ones the other number leads: it has
 * |v| ≥ 2^58, the shifted one at most 2^54, so the sum has a leading bit no lower than bit 57 and moves left by at most 4. There is one
 * exception, numbers near underflow, which may lead lower: but there every number is a multiple of 2^-1074, which is bit 7 or above on
 * either scale, so that nothing is lost. For the same reason a sum near underflow is exact, and needs no rounding of its own.
 *
 * Carries are read off the words: an addition carries if both words have their top bit, or either has and the sum has not; adding a
 * small number carries if the word had its top bit and the sum has not.
 *
 * The multiply-add is optimized for nearly all steps of a matrix product: a product of normal size, a sum far from overflow, exponents
 * less than 32 apart, less than 30 bits cancelled. Any other case, including zeros, infinities and NaN, has an exponent out of range, or
 * one too far from the other's, or leaves the high word of the sum without a leading bit. One branch catches all of these and computes
 * again, with no assumption. If 30 bits cancel, the exponents were at most 1 apart: the sum is exact, and a first shift by 30 loses
 * nothing.
 */
export const addWgsl = `
fn f64ShiftRight(hi: i32, lo: u32, by: u32) -> vec2<u32> {
  let s = min(by, 63u);
  let far = s >= 32u;
  let h = select(hi, hi >> 31u, far);
  let l = select(lo, bitcast<u32>(hi), far);
  let lost = f64LostBits(l, s & 31u) | select(0u, lo, far);
  return f64ShiftBits(h, l, s & 31u, lost);
}

fn f64LostBits(l: u32, s: u32) -> u32 { return l & ~(0xffffffffu << s); }

fn f64ShiftBits(h: i32, l: u32, s: u32, lost: u32) -> vec2<u32> {
  return vec2<u32>((l >> s) | ((bitcast<u32>(h) << 1u) << (s ^ 31u)) | min(lost, 1u), bitcast<u32>(h >> s));
}

fn f64SumOf(large: F64, small: vec2<u32>) -> F64 {
  let lo = large.lo + small.x;
  let carry = ((large.lo & small.x) | ((large.lo | small.x) & ~lo)) >> 31u;
  return F64(large.hi + bitcast<i32>(small.y) + bitcast<i32>(carry), lo, large.e);
}

fn f64Normalized(v: F64, n: u32) -> F64 {
  let lo = v.lo << n;
  let hi = (bitcast<u32>(v.hi) << n) | ((v.lo >> 1u) >> (n ^ 31u));
  let rounded = lo + 0xffu + ((lo >> 9u) & 1u);
  let high = bitcast<i32>(hi + ((lo & ~rounded) >> 31u));
  let low = ((rounded >> 1u) | (bitcast<u32>(high) << 31u)) & 0xffffff00u;
  return F64(high >> 1u, low, v.e + 1i - bitcast<i32>(n));
}

fn f64Leading(v: F64) -> u32 { return bitcast<u32>(v.hi ^ (v.hi >> 31u)); }

fn f64MultiplyAdd(x: F64Operand, y: F64Operand, sum: F64) -> F64 {
  let product = f64RawProduct(x, y);
  let p = f64RoundProduct(product, f64Wide(product));
  let d = sum.e - p.e;
  let under = d < 0i;
  let by = u32(abs(d));
  let hi = select(p.hi, sum.hi, under);
  let lo = select(p.lo, sum.lo, under);
  let small = f64ShiftBits(hi, lo, by & 31u, f64LostBits(lo, by & 31u));
  let large = F64(select(sum.hi, p.hi, under), select(sum.lo, p.lo, under), max(sum.e, p.e));
  let v = f64SumOf(large, small);
  let leading = f64Leading(v);
  if ((p.e < 3i) | (large.e > 2044i) | (by > 31u) | (leading == 0u)) {
    return f64RareMultiplyAdd(x, y, product, sum);
  }
  return f64Normalized(v, countLeadingZeros(leading) - 2u);
}

fn f64RareMultiplyAdd(x: F64Operand, y: F64Operand, product: F64, sum: F64) -> F64 {
  if (product.e < 3i || product.e > 2046i) { return f64Accumulate(sum, f64RareProduct(x, y, product)); }
  return f64Accumulate(sum, f64RoundProduct(product, f64Wide(product)));
}

fn f64Add(a: F64, b: F64) -> F64 {
  let e = b.e + i32(!f64IsZero(b.e));
  return f64Accumulate(a, F64(b.hi >> 1u, (b.lo >> 1u) | (bitcast<u32>(b.hi) << 31u), e));
}

fn f64Accumulate(a: F64, b: F64) -> F64 {
  if (f64IsNan(max(a.e, b.e))) { return f64Nan(); }
  if (f64IsSpecial(max(a.e, b.e))) {
    let opposite = (a.hi < 0i) != (b.hi < 0i);
    if (f64IsSpecial(min(a.e, b.e)) && opposite) { return f64Nan(); }
    return f64InfinityOf(select(b.hi, a.hi, a.e > b.e) < 0i);
  }
  var large = a;
  var small = b;
  if (a.e < b.e) {
    large = b;
    small = a;
  }
  var v = f64SumOf(large, f64ShiftRight(small.hi, small.lo, u32(large.e - small.e)));
  if ((bitcast<u32>(v.hi) | v.lo) == 0u) {
    return f64ZeroOf(a.e == F64_NEGATIVE_ZERO && b.e == F64_NEGATIVE_ZERO);
  }
  if (f64Leading(v) == 0u) {
    v = F64(bitcast<i32>((bitcast<u32>(v.hi) << 30u) | (v.lo >> 2u)), v.lo << 30u, v.e - 30i);
  }
  let sum = f64Normalized(v, countLeadingZeros(f64Leading(v)) - 2u);
  let magnitude = f64Signed(bitcast<u32>(sum.hi), sum.lo, sum.hi < 0i).y;
  if (sum.e > 2046i || (sum.e == 2046i && magnitude == 0x20000000u)) { return f64InfinityOf(sum.hi < 0i); }
  return sum;
}
`;

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
