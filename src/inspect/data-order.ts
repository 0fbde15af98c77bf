import type { Context } from './question.ts';
import { placed } from './sum-levels.ts';
import type { Tree } from './summation-tree.ts';
import { power } from './terms.ts';

/**
 * Whether the terms are sorted before they are added: then M and −M come last, or first, wherever they stand, and it looks
 * as if all terms were added at once, or exactly. Beside 1, terms that are a quarter of its last bit are lost where all
 * are aligned to 1, and all there where nothing is lost; the other way round they were sorted.
 */
export async function dependsOnData({ session, measured }: Context, k: number, tree: Tree): Promise<boolean> {
  if (typeof tree === 'number' || k < 5 || !tree.parts.every((part) => typeof part === 'number'))
    return false;
  const { accumulatorBits = 0, storedBits = 0 } = measured;
  const exact = tree.exact === true;
  const bits = exact ? storedBits : accumulatorBits;
  if (bits + 1 > session.reach) return false;
  const count = 2 ** Math.floor(Math.log2(k - 1));
  const quarters = Array.from({ length: count }, (_, at) => [at + 1, power(-bits - 1)] as const);
  const [sum] = await session.dots([placed(k, [[0, power(0)], ...quarters])], k);
  return sum !== 1 + (exact ? count * 2 ** (-bits - 1) : 0);
}
