import { createRandom } from '../../base/random.ts';
import { OURS } from '../../base/registry.ts';
import { applyPattern } from '../edits/patterned.ts';
import { exp2 } from '../exp2.ts';
import { inputFamily, reachOfIntegers } from '../input.ts';
import { integerBudget, operandLimit } from '../integer-budget.ts';
import { integers } from '../integers.ts';
import { drawPair, dropUninformativeSigns, largestMagnitude } from './draw-pair.ts';
import { type DraftMatrix, entryGetter, mapTable } from './table.ts';

/** Rounds numbers to whole ones, the largest as large as allowed. Nonzero numbers stay nonzero. */
function makeWhole(table: DraftMatrix, most: number): void {
  const factor = most / largestMagnitude(table.data);
  mapTable(table, (x) =>
    x === 0 ? 0 : Math.sign(x) * Math.max(1, Math.min(most, Math.floor(Math.abs(x) * factor))),
  );
}

/** Streams of A, of B, of A's share of the room, of C, and of the sample. */
const [OF_A, OF_B, OF_ROOM, OF_C, OF_SAMPLE] = [1, 2, 4, 5, 6];

/** Data of {@link wild} as whole numbers. Whatever its structure, the product is judged at zero tolerance. */
export const wildIntegers = inputFamily({
  name: 'wild-integers',
  what: 'Whole numbers of random structures, with A, B and C independent or related; all sums stay exact.',
  source: OURS,
  catches: 'Code paths for entries of any structure, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) => integers.accepts(shape),
  make: (request) => {
    const { random, fill, m, k, n, precision } = request;
    const pair = drawPair(request, random(OF_A), random(OF_B));
    const [budget, limit] = [integerBudget(k, request), operandLimit(request)];
    // Products of a batch may share a matrix, so the room is divided in the same way in all.
    const bits = createRandom(73 * m + 179 * k + 283 * n, OF_ROOM).uniform(0, Math.floor(Math.log2(budget)));
    const mostA = Math.min(limit, Math.floor(exp2(bits)));
    const mostB = Math.min(limit, Math.floor(budget / mostA));
    makeWhole(pair.a, mostA);
    makeWhole(pair.b, mostB);
    // With factors of many bits, sums are rounded after all.
    dropUninformativeSigns(pair, precision, random(OF_SAMPLE));
    return { a: fill(m, k, entryGetter(pair.a)), b: fill(k, n, entryGetter(pair.b)) };
  },
  editAddend(c, seed) {
    const random = createRandom(seed, OF_C);
    for (let count = random.int(0, 2); count > 0; count--) applyPattern(c, random);
  },
});
