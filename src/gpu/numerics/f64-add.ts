/**
 * The sum of a value and a product, or of two values, rounded to binary64, in WGSL.
 *
 * Of the two, the one with the smaller exponent is shifted right to the scale of the other; bits that fall off are
 * or-ed into bit 0. With the value's |v| ≤ 2^61 and the product's ≤ 2^60, the sum is below 2^62: it fits. It is then
 * shifted left until its leading bit is bit 61, rounded to the 53 bits down to bit 9, and halved, so that |v| ≤ 2^61
 * again, even where it was rounded up to a power of two. Rounding is explained with the product.
 *
 * The bit or-ed in is right where it stays below bit 8, the half of the last place: when it still decides a tie, and
 * nothing but ties. Values have zeros below bit 8 and products below bit 6. So nothing is lost in shifts up to 6. In
 * longer ones the other number leads: it has |v| ≥ 2^58, so the sum has a leading bit no lower than bit 57,
 * and moves left by at most 4. There is one exception, numbers near underflow that are no longer normal to
 * their scale: but there every number is a multiple of 2^-1074, which is bit 7 or above on either scale, so that
 * nothing is lost. For the same reason a sum near underflow is exact, and needs no rounding of its own.
 *
 * What needs care is caught by one rare branch after the rounding: a sum that is zero, where signs decide; one beyond
 * the largest number; and those of infinities and NaN, whose exponents are so large that the sum's is too large,
 * or that cancelled to zero.
 */
export const addWgsl = `
fn f64ShiftRight(hi: i32, lo: u32, by: u32) -> vec2<u32> {
  let s = min(by, 63u);
  let far = s >= 32u;
  let h = select(hi, hi >> 31u, far);
  let l = select(lo, bitcast<u32>(hi), far);
  let left = ~s & 31u;
  let lost = ((l << 1u) << left) | select(0u, lo, far);
  return vec2<u32>(
    (l >> (s & 31u)) | ((bitcast<u32>(h) << 1u) << left) | min(lost, 1u),
    bitcast<u32>(h >> (s & 31u)),
  );
}

fn f64Accumulate(sum: F64, p: F64) -> F64 {
  let d = sum.e - p.e;
  let under = d < 0i;
  let small = f64ShiftRight(select(p.hi, sum.hi, under), select(p.lo, sum.lo, under), u32(abs(d)));
  let lo = select(sum.lo, p.lo, under) + small.x;
  let hi = select(sum.hi, p.hi, under) + bitcast<i32>(small.y) + i32(lo < small.x);
  let sign = hi >> 31u;
  let top = bitcast<u32>(hi ^ sign);
  let low = top == 0u;
  let zeros = countLeadingZeros(select(top, lo ^ bitcast<u32>(sign), low));
  let n = zeros + select(0xfffffffeu, 30u, low);
  let far = n >= 32u;
  let h = select(bitcast<u32>(hi), lo, far);
  let l = select(lo, 0u, far);
  let left = l << (n & 31u);
  let rounded = left + 0xffu + ((left >> 9u) & 1u);
  let high = bitcast<i32>((h << (n & 31u)) | ((l >> 1u) >> (~n & 31u))) + i32(rounded < left);
  let e = max(sum.e, p.e) - i32(n) + 1i;
  let result = F64(high >> 1u, ((rounded >> 1u) | (bitcast<u32>(high) << 31u)) & 0xffffff00u, e);
  if (high == 0i || e > 2045i) { return f64SumRare(sum, p, result); }
  return result;
}

fn f64SumRare(a: F64, b: F64, result: F64) -> F64 {
  if (f64IsNan(max(a.e, b.e))) { return f64Nan(); }
  if (f64IsSpecial(max(a.e, b.e))) {
    let opposite = (a.hi < 0i) != (b.hi < 0i);
    if (f64IsSpecial(min(a.e, b.e)) && opposite) { return f64Nan(); }
    return f64InfinityOf(select(b.hi, a.hi, a.e > b.e) < 0i);
  }
  if (result.hi == 0i) { return f64ZeroOf(a.e == F64_NEGATIVE_ZERO && b.e == F64_NEGATIVE_ZERO); }
  let magnitude = f64Signed(bitcast<u32>(result.hi), result.lo, result.hi < 0i).y;
  if (result.e > 2046i || (result.e == 2046i && magnitude == 0x20000000u)) {
    return f64InfinityOf(result.hi < 0i);
  }
  return result;
}

fn f64MultiplyAdd(x: F64Operand, y: F64Operand, sum: F64) -> F64 {
  return f64Accumulate(sum, f64Product(x, y));
}

fn f64Add(a: F64, b: F64) -> F64 {
  let e = b.e + i32(!f64IsZero(b.e));
  return f64Accumulate(a, F64(b.hi >> 1u, (b.lo >> 1u) | (bitcast<u32>(b.hi) << 31u), e));
}
`;
