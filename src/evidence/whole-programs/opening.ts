import type { DraftMatrix } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import { applyLayerNorm, applyRelu, drawWeights, makeSized } from './tables.ts';

/** The most multiplications of a program's first product. */
const MOST = 2 ** 22;

/** One large product before the small ones, as programs read their data first. It ends. */
export const opening: Routine = {
  name: 'opening',
  what: 'All data times a large matrix, and the result times a small one.',
  *steps({ random, data }) {
    const [width, wide] = [makeSized(random, 64, 512), makeSized(random, 32, 256)];
    const rows = Math.floor((MOST * random.uniform(0.3, 1)) / (width * wide));
    const made: DraftMatrix = yield { a: data(rows, width), b: drawWeights(random, width, wide) };
    const next = random.int(0, 1) === 0 ? applyRelu(made) : applyLayerNorm(made);
    yield { a: next, b: drawWeights(random, wide, makeSized(random, 2, 24)) };
  },
};
