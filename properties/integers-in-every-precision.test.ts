import fc from 'fast-check';
import { describe } from 'vitest';
import { algorithms, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { emulated } from '../src/formats/arithmetic.ts';
import { precisionNames } from '../src/formats/precision.ts';
import { compile } from '../src/plan/compile.ts';
import { runMirror } from '../src/readers/mirror.ts';
import { exactProduct } from '../src/reference/exact.ts';
import { cases, expand } from './arbitraries.ts';
import { expectSameNumbers } from './compare.ts';
import { law } from './law.ts';

/**
 * The law: in every precision the mirror multiplies the whole numbers made for it exactly, at every level.
 *
 * Why: the integer budget keeps what is added below 2^p, p the bits of whole numbers of the format that adds, and sums
 * of operands below the limit of the format that they are rounded to. That the device does as the mirror is another law.
 */
describe.each(precisionNames)('integers are exact in %s', (precision) => {
  const values = cases({
    kernels: algorithms.map(({ name }) => name),
    inputs: ['integers', 'identity'],
    // binary16 holds no sums of three levels
    levels: fc.nat(precision === 'f16' ? 2 : 3),
    largest: 20,
    edges: ['guard'],
    precision,
  });
  law('at every level', 60, values, ({ kernel, levels, border, ...value }) => {
    const { a, b } = expand({ ...value, kernel, levels, border });
    const plan = compile({ algorithm: findAlgorithm(kernel), shape: value, depth: { levels }, border });
    expectSameNumbers(runMirror(plan, a, b, emulated(precision)), exactProduct(a, b).product);
  });
});
