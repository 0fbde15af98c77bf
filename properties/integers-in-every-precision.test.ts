import fc from 'fast-check';
import { describe } from 'vitest';
import { algorithms, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { compile } from '../src/plan/compile.ts';
import { emulated } from '../src/precision/arithmetic.ts';
import { kindNames } from '../src/precision/kinds.testing.ts';
import { precisions } from '../src/precision/precisions.ts';
import { runModel } from '../src/readers/model.ts';
import { cases, expand } from './arbitraries.ts';
import { expectSameNumbers } from './compare.ts';
import { law } from './law.ts';

/**
 * The law: in every precision the model multiplies the whole numbers made for it exactly, at every level. Results that are narrower than
 * sums are the exact product rounded once.
 *
 * Why: the integer budget keeps sums below 2^p, where p is the number of bits of whole numbers in the format that adds. It keeps sums of
 * operands below the limit of the format that they are rounded to. Another law compares the device with the model.
 */
describe.each(inShort(kindNames, 3))('integers are exact in %s', (precision) => {
  const values = cases({
    kernels: algorithms.map(({ name }) => name),
    inputs: ['integers', 'identity'],
    // binary16 holds no sums of three levels
    levels: fc.nat(precision === 'f16' ? 2 : 3),
    largest: 20,
    tails: ['mask'],
    precision,
  });
  law('at every level', 30, values, (value) => {
    const { a, b } = expand(value);
    const { levels, fringe } = value.method;
    const plan = compile({
      algorithm: findAlgorithm(value.kernel),
      shape: value.problem,
      depth: { levels },
      fringe,
    });
    const { d } = precisions.find(precision);
    const { product } = exactProduct(a, b);
    expectSameNumbers(runModel(plan, a, b, { precision: precisions.find(precision), arithmetic: emulated }), {
      ...product,
      data: product.data.map((x) => d.round(x)),
    });
  });
});
