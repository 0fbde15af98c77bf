import type { InspectionContext } from './question.ts';
import { makeSparseDot } from './sum-levels.ts';
import { countTerms, listTerms, type SummationNode, type SummationTree } from './summation-tree.ts';
import { powerOfTwoTerm } from './terms.ts';

/** The least number of terms that the test needs: 1, and four quarters of its last bit. */
const LEAST = 5;

/** Returns the longest sum within a tree that seems to add all its terms at once; undefined where none is long enough. */
export function longestFlat(tree: SummationTree): SummationNode | undefined {
  if (typeof tree === 'number') return undefined;
  if (tree.parts.every((part) => typeof part === 'number'))
    return tree.parts.length < LEAST ? undefined : tree;
  return tree.parts
    .flatMap((part) => longestFlat(part) ?? [])
    .reduce<SummationNode | undefined>(
      (x, y) => (x === undefined || countTerms(y) > countTerms(x) ? y : x),
      undefined,
    );
}

/**
 * True if the order depends on the data: terms are sorted, or separated by sign, before they are added. M and −M then come last, first, or
 * meet last, wherever they stand. The sum seems to add all terms at once, or exactly. The test adds to 1 terms of a quarter of its last
 * bit. They are lost where all terms are aligned to 1, and kept where nothing is lost, whether 1 is the first or the last term. Any other
 * result shows an order that depends on the data.
 */
export async function isDataOrdered(
  { session, measures }: InspectionContext,
  k: number,
  flat: SummationNode,
): Promise<boolean> {
  const { accumulatorBits = 0, storedBits = 0 } = measures;
  const exact = flat.exact === true;
  const bits = exact ? storedBits : accumulatorBits;
  if (bits + 1 > session.reach) return false;
  const terms = listTerms(flat);
  const count = 2 ** Math.floor(Math.log2(terms.length - 1));
  const beside = (places: readonly number[]) => {
    const quarters = places.slice(1, count + 1).map((at) => [at, powerOfTwoTerm(-bits - 1)] as const);
    return makeSparseDot(k, [[places[0], powerOfTwoTerm(0)], ...quarters]);
  };
  const together = makeSparseDot(k, [
    [terms[0], powerOfTwoTerm(0)],
    [terms[1], powerOfTwoTerm(Math.log2(count) - bits - 1)],
  ]);
  const [whole, ...sums] = await session.dots([together, beside(terms), beside([...terms].reverse())], k);
  return sums.some((sum) => sum !== (exact ? whole : 1));
}
