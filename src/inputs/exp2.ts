/** Computes 2^x with + and × alone, to about 1e-15. `Math.exp` may differ in its last bit between engines. */
export function exp2(x: number): number {
  const whole = Math.round(x);
  const y = (x - whole) * Math.LN2;
  let sum = 1;
  for (let term = 14; term >= 1; term--) sum = 1 + (sum * y) / term;
  return sum * 2 ** whole;
}
