import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { times } from './times.ts';

/** Returns the numeric of a precision whose leaf products decode operands while loading them, entry by entry. */
export const codedNumeric = (numeric: Numeric, coded: Numeric['coded']): Numeric =>
  coded?.a === undefined && coded?.b === undefined
    ? numeric
    : { ...numeric, prelude: `${numeric.prelude}\n${times.declaration}`, lanes: false, coded };
