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
