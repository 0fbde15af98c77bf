import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { FACTOR_SHIFT } from './instances.ts';

/** Returns the distinct factors other than ±1. The number of a factor in the table of instances is its index plus one. */
export function factorsOf(factors: readonly number[]): number[] {
  return [...new Set(factors.filter((factor) => Math.abs(factor) !== 1))].sort((x, y) => x - y);
}

/** Returns a factor's flag in the table of instances; 0 for ±1. */
export function factorFlag(factor: number, factors: readonly number[]): number {
  return (factors.indexOf(factor) + 1) << FACTOR_SHIFT;
}

/** Returns the WGSL `timesPlus4(number, x, sum)`, for each width: x times the factor of that number, plus the sum, by the multiply-add. */
export function factorsFunction(
  factors: readonly number[],
  numeric: Numeric,
  widths: ReadonlySet<Width>,
): string {
  if (factors.length === 0) return '';
  const cases = (width: Width) =>
    factors.map((factor, at) => {
      const [c, x] = [numeric.constant(factor, width), numeric.factorOf('x', width)];
      return `    case ${at + 1}u: { return ${numeric.multiplyAdd(c, x, 'sum', width)}; }`;
    });
  return [...widths]
    .map((width) => {
      const value = numeric.value(width);
      return `fn timesPlus${width}(number: u32, x: ${value}, sum: ${value}) -> ${value} {
  switch (number) {
${cases(width).join('\n')}
    default: { return sum; }
  }
}`;
    })
    .join('\n');
}

/**
 * Returns WGSL statements: if the flags of a term name a factor, `sum` becomes sum + factor·value, followed by `store`; otherwise `else`
 * runs.
 */
export function sumWithFactor(
  factors: readonly number[],
  width: Width,
  text: {
    readonly which: string;
    readonly value: string;
    readonly sum: string;
    readonly store?: string;
    readonly else: string;
  },
): string {
  if (factors.length === 0) return text.else;
  const number = `${text.which} >> ${FACTOR_SHIFT}u`;
  return `if ((${number}) != 0u) { ${text.sum} = timesPlus${width}(${number}, ${text.value}, ${text.sum}); ${text.store ?? ''} } else { ${text.else} }`;
}
