/** Writes powers of two as powers, and other numbers as they are. */
export function formatPowers(x: number): string {
  const exponent = Math.log2(Math.abs(x));
  if (Number.isInteger(exponent) && Math.abs(exponent) > 10) return `${x < 0 ? '−' : ''}2^${exponent}`;
  return `${x}`.replace(/^-/, '−');
}
