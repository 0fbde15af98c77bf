import type { Numeric, Width } from './numeric.ts';
import type { RoundingFunction } from './rounding.ts';
import { single } from './single.ts';

/** binary32 whose leaf products round their operands first, as the matrix units of GPUs do. */
export function mixed({ name, declaration }: RoundingFunction): Numeric {
  const round = (entry: string, width: Width) => `${name}${width === 1 ? '' : '4'}(${entry})`;
  return { ...single, prelude: declaration, prepare: round };
}
