import type { Registry } from '../base/registry.ts';
import type { LevelGrowth } from '../problem/method.ts';
import type { Algorithm } from './algorithm.ts';
import { algorithmRegistry } from './algorithms.ts';
import { fractionsOf } from './fractions.ts';
import { levelGrowth } from './stability.ts';
import { winograd } from './winograd.ts';

/** Growth that covers classical products, Strassen's and Winograd's, which are compared on the same operands. */
const USUAL = levelGrowth(winograd);

const known = new WeakMap<Algorithm, LevelGrowth>();

/**
 * Returns the growth for which the operands of an algorithm leave room. It is Winograd's where that covers the algorithm's own, so that
 * most algorithms get the same operands, else its own. The result is the same object each time.
 * @param algorithm undefined where it is unknown.
 */
export function sharedGrowth(algorithm?: Algorithm): LevelGrowth {
  if (algorithm === undefined) return USUAL;
  const found = known.get(algorithm) ?? growthOf(algorithm);
  known.set(algorithm, found);
  return found;
}

/** Returns the growth of the algorithm whose name begins a kernel's name: `strassen:register`. */
export const growthOfKernel = (
  kernel: string,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): LevelGrowth => sharedGrowth(algorithms.get(kernel.split(':')[0]));

function growthOf(algorithm: Algorithm): LevelGrowth {
  const own = { ...levelGrowth(algorithm), ...(fractionsOf(algorithm).size > 0 && { rounds: true }) };
  const isCovered =
    own.product <= USUAL.product &&
    own.total <= USUAL.total &&
    own.operand <= USUAL.operand &&
    own.rounds === undefined &&
    own.split >= USUAL.split;
  return isCovered ? USUAL : own;
}
