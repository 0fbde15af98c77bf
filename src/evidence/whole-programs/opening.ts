import type { Table } from '../../inputs/wild/table.ts';
import type { Routine } from './routine.ts';
import { layerNorm, relu, sized, weights } from './tables.ts';

/** The most multiplications of a program's first product. */
const MOST = 2 ** 22;

/** One large product before the small ones, as programs read their data first. It ends. */
export const opening: Routine = {
  name: 'opening',
  what: 'All data times a large matrix, and the result times a small one.',
  *steps({ random, data }) {
    const [width, wide] = [sized(random, 64, 512), sized(random, 32, 256)];
    const rows = Math.floor((MOST * random.uniform(0.3, 1)) / (width * wide));
    const made: Table = yield { a: data(rows, width), b: weights(random, width, wide) };
    const next = random.int(0, 1) === 0 ? relu(made) : layerNorm(made);
    yield { a: next, b: weights(random, wide, sized(random, 2, 24)) };
  },
};
