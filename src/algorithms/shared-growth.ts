import type { Registry } from '../base/registry.ts';
import type { LevelGrowth } from '../problem/method.ts';
import type { Algorithm } from './algorithm.ts';
import { algorithmRegistry } from './algorithms.ts';
import { fractionsOf } from './fractions.ts';
import { levelGrowth } from './stability.ts';
import { winograd } from './winograd.ts';

/** What covers classical products, Strassen's and Winograd's: they are compared on the same operands. */
const USUAL = levelGrowth(winograd);

const known = new WeakMap<Algorithm, LevelGrowth>();

/**
 * The growth that operands of an algorithm allow for: Winograd's where that covers its own, so that most algorithms get
 * the same operands, else its own. The same object each time.
 * @param algorithm none where it is unknown.
 */
export function sharedGrowth(algorithm?: Algorithm): LevelGrowth {
  if (algorithm === undefined) return USUAL;
  const found = known.get(algorithm) ?? growthOf(algorithm);
  known.set(algorithm, found);
  return found;
}

/** That of the algorithm whose name a kernel's begins with: `strassen:register`. */
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
