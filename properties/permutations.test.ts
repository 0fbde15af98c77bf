import { describe } from 'vitest';
import { seeded } from '../src/base/random.ts';
import { cases, expand, noLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';
import { classicalNames } from './leaf-names.ts';
import { permuteColumns, permuteRows } from './matrices.ts';

/**
 * The law: permuting A's rows and B's columns permutes C's rows and columns, bit for bit, for classical products
 * without recursion.
 *
 * Why: entry (i, j) is a sum over k of row i of A and column j of B in an order that does not depend on i or j,
 * wherever in a tile, a register block or the matrix the entry lies. An entry that another's place influences is
 * a fault of indexing, of an tail or of a barrier.
 */
const gpu = await openGpu();

const LEAVES = classicalNames(gpu.open);
const INPUTS = ['uniform', 'wide-exponents', 'ill-conditioned', 'subnormals'];

describe('permuting rows of A and columns of B', () => {
  const values = cases({ kernels: LEAVES, inputs: INPUTS, levels: noLevels, largest: 130 });
  lawOfLongRuns('permutes the product', 100, values, async (value) => {
    const { a, b } = expand(value);
    const rows = seeded(value.problem.seed, 5).permutation(value.problem.m);
    const columns = seeded(value.problem.seed, 6).permutation(value.problem.n);
    const plain = await gpu.multiply(value, a, b);
    const product = await gpu.multiply(value, permuteRows(a, rows), permuteColumns(b, columns));
    expectSameBits(product, permuteColumns(permuteRows(plain, rows), columns));
  });
});
