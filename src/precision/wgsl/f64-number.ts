/**
 * The representation of a binary64 number during computations in WGSL. A shader has 32-bit integers only, so a number is unpacked once
 * and packed once:
 *
 * - `F64`, a value: v·2^(e − 1083), where v = hi·2³² + lo is a signed integer in two's complement and 1083 is the bias 1023 plus 60. A
 *   normal number has |v| in [2^60, 2^61], so e is its biased exponent as IEEE 754 encodes it, or one less if |v| = 2^61. The signed
 *   integer saves the cost of signs: a sum is one addition.
 * - `F64Operand`, one side of a product: the significand, shifted to 56 bits, as four signed limbs of 14 bits, which a product of 32-bit
 *   integers can multiply without overflow; e is the biased exponent.
 *
 * Exponents are wide, so a subnormal number is a number with e < 1, and zeros, infinities and NaN have exponents far from all others.
 * That of a zero is far below, so that it never shifts what it is added to; that of an infinity is far above, and that of NaN above them
 * all. Adding exponents keeps them apart: the exponent of a product is out of range whenever one side is not a nonzero number. A zero's
 * v cannot hold its sign, so the exponent does.
 */
export const numberWgsl = `
struct F64 { hi: i32, lo: u32, e: i32 }
struct F64Operand { e: i32, a: i32, b: i32, c: i32, d: i32 }

const F64_ZERO = -0x10000i;
const F64_NEGATIVE_ZERO = -0xffffi;
const F64_INFINITY = 0x100000i;
const F64_NAN = 0x1000000i;

fn f64IsZero(e: i32) -> bool { return e < -0x8000i; }
fn f64IsSpecial(e: i32) -> bool { return e > 0x8000i; }
fn f64IsNan(e: i32) -> bool { return e > 0x800000i; }

fn f64Signed(hi: u32, lo: u32, negative: bool) -> vec2<u32> {
  return select(vec2<u32>(lo, hi), vec2<u32>(~lo + 1u, ~hi + u32(lo == 0u)), negative);
}

fn f64ZeroOf(negative: bool) -> F64 { return F64(0i, 0u, select(F64_ZERO, F64_NEGATIVE_ZERO, negative)); }
fn f64InfinityOf(negative: bool) -> F64 {
  return F64(select(0x10000000i, -0x10000000i, negative), 0u, F64_INFINITY);
}
fn f64Nan() -> F64 { return F64(0x10000000i, 0u, F64_NAN); }

fn f64IsNegative(x: F64) -> bool { return x.hi < 0i || x.e == F64_NEGATIVE_ZERO; }

fn f64Load(entry: vec2<u32>) -> F64 {
  let negative = (entry.y >> 31u) == 1u;
  let e = (entry.y >> 20u) & 0x7ffu;
  let fraction = entry.y & 0xfffffu;
  if (e == 0x7ffu) {
    if ((fraction | entry.x) != 0u) { return f64Nan(); }
    return f64InfinityOf(negative);
  }
  if ((e | fraction | entry.x) == 0u) { return f64ZeroOf(negative); }
  let high = fraction | (min(e, 1u) << 20u);
  let v = f64Signed((high << 8u) | (entry.x >> 24u), entry.x << 8u, negative);
  return F64(bitcast<i32>(v.y), v.x, max(i32(e), 1i));
}

fn f64Store(x: F64) -> vec2<u32> {
  if (f64IsNan(x.e)) { return vec2<u32>(0u, 0x7ff80000u); }
  let sign = select(0u, 0x80000000u, f64IsNegative(x));
  if (f64IsSpecial(x.e)) { return vec2<u32>(0u, sign | 0x7ff00000u); }
  if (f64IsZero(x.e)) { return vec2<u32>(0u, sign); }
  let v = f64Signed(bitcast<u32>(x.hi), x.lo, x.hi < 0i);
  let s = u32(9i - min(x.e, 1i));
  let far = s >= 32u;
  let hi = select(v.y, 0u, far);
  let lo = select(v.x, v.y, far);
  let biased = u32(max(x.e, 1i) - 1i) << 20u;
  return vec2<u32>(
    (lo >> (s & 31u)) | ((hi << 1u) << (~s & 31u)),
    sign | ((hi >> (s & 31u)) + biased),
  );
}

fn f64Prepare(entry: vec2<u32>) -> F64Operand {
  let e = i32((entry.y >> 20u) & 0x7ffu);
  if (u32(e - 1i) >= 0x7feu) { return f64PrepareRare(entry); }
  return f64Limbs(entry, e);
}

fn f64Limbs(entry: vec2<u32>, e: i32) -> F64Operand {
  let sign = (bitcast<i32>(entry.y) >> 31u) | 1i;
  return F64Operand(
    e,
    i32((entry.x << 3u) & 0x3fffu) * sign,
    i32((entry.x >> 11u) & 0x3fffu) * sign,
    i32((entry.x >> 25u) | ((entry.y << 7u) & 0x3f80u)) * sign,
    i32(((entry.y >> 7u) & 0x1fffu) | 0x2000u) * sign,
  );
}

fn f64PrepareRare(entry: vec2<u32>) -> F64Operand {
  let sign = entry.y & 0x80000000u;
  let fraction = entry.y & 0xfffffu;
  if ((entry.y & 0x7ff00000u) != 0u) {
    return f64Limbs(vec2<u32>(0u, sign), select(F64_INFINITY, F64_NAN, (fraction | entry.x) != 0u));
  }
  if ((fraction | entry.x) == 0u) { return F64Operand(f64ZeroOf(sign != 0u).e, 0i, 0i, 0i, 0i); }
  let n = select(countLeadingZeros(entry.x) + 21u, countLeadingZeros(fraction) - 11u, fraction != 0u);
  let far = n >= 32u;
  let hi = select(fraction, entry.x, far);
  let lo = select(entry.x, 0u, far);
  let shifted = (hi << (n & 31u)) | ((lo >> 1u) >> (~n & 31u));
  return f64Limbs(vec2<u32>(lo << (n & 31u), sign | (shifted & 0xfffffu)), 1i - i32(n));
}

fn f64Negate(x: F64) -> F64 {
  if (f64IsZero(x.e)) { return f64ZeroOf(x.e == F64_ZERO); }
  let v = f64Signed(bitcast<u32>(x.hi), x.lo, true);
  return F64(bitcast<i32>(v.y), v.x, x.e);
}
`;
