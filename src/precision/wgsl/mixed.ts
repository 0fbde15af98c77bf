import type { Numeric, Width } from './numeric.ts';
import type { RoundingFunction } from './rounding.ts';
import { single } from './single.ts';

/** A call of a rounding function. */
export const rounded = ({ name }: RoundingFunction, value: string, width: Width): string =>
  `${name}${width === 1 ? '' : '4'}(${value})`;

/** binary32 whose leaf products round their operands first, as the matrix units of GPUs do. */
export const mixed = (rounding: RoundingFunction): Numeric => ({
  ...single,
  prelude: rounding.declaration,
  prepare: (entry, width) => rounded(rounding, entry, width),
});
