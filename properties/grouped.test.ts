import { describe, expect, test } from 'vitest';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { listEdgeCases } from '../src/gate/gemm-sample.ts';
import { acceptsOf } from '../src/kernels/check-kernel.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel, GroupedProduct } from '../src/kernels/user-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import type { Entries } from '../src/matrix/operands.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { type Case, formatCase } from '../src/problem/case.ts';
import type { GemmProblem } from '../src/problem/problem.ts';
import { openGpu } from './device.ts';

/**
 * The law: a kernel that takes groups of products of different shapes is right in each of them, at every position. A kernel that confuses one
 * with another fails.
 */
type List = readonly GroupedProduct[];
const one = ({ a, b, gemm, c, d }: GroupedProduct): Entries => {
  eachEntry(a, b, gemm, c, (entry, place) => {
    d[place(gemm.d)] = entry;
  });
  return d;
};

const kernelOf = (multiplyGroup: (list: List) => readonly Entries[]): FunctionKernel => ({
  ...{ name: 'mine', accepts: 'everything', multiplyGroup },
  multiply: (a, b, gemm, c, d) => one({ a, b, gemm, c, d }),
});

const evaluator = new Evaluator(exactProduct, { kept: 60 });
const { open } = await openGpu();

/** Groups of more products are large. */
const MANY = 64;

/** Returns the verdicts on the default gate's lists, by case: those of few products, or some of many. */
async function verdicts(
  spec: FunctionKernel,
  isAsked: (problem: GemmProblem) => boolean = ({ group }) => group <= MANY,
): Promise<string[]> {
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const lists = listEdgeCases(spec.name, acceptsOf(spec), {})
    .filter(({ problem }) => problem.group > 1)
    .filter(({ problem }) => isAsked(problem));
  const judge = async (value: Case) => {
    const { verdict } = await resultOf(
      value,
      kernel,
      await evaluator.attempt({ case: value, kernel }, open),
      defaultThresholds,
    );
    return `${verdict} ${formatCase(value)}`;
  };
  return Promise.all(lists.map(judge));
}

test('an honest kernel passes, whether it writes D or returns it', async () => {
  for (const multiplyGroup of [
    (list: List) => list.map(one),
    (list: List) => [...list].reverse().map(one).reverse(),
    (list: List) => list.map((product) => one({ ...product, d: product.d.slice() })),
  ]) {
    const found = await verdicts(kernelOf(multiplyGroup));
    expect(found).toHaveLength(9);
    expect(found.filter((text) => !text.startsWith('pass'))).toEqual([]);
  }
});

/** The most products of a group. */
const MOST = 1024;

itWhole('an honest kernel passes groups of 1,024 products', async () => {
  const found = await verdicts(
    kernelOf((list) => list.map(one)),
    ({ group }) => group > MANY,
  );
  expect(found).toHaveLength(4);
  expect(found.filter((text) => !text.startsWith('pass'))).toEqual([]);
});

describe('a kernel fails a group of 1,024 products', () => {
  test.each(
    inShort<[string, (list: List) => readonly Entries[]]>(
      [
        ['whose last one it skips', (list) => list.map((each, at) => (at === MOST - 1 ? each.d : one(each)))],
        [
          'whose last one is the one before',
          (list) => list.map((each, at) => one(at === MOST - 1 ? { ...each, a: list[at - 1].a } : each)),
        ],
        ['of which it counts in 8 bits', (list) => list.map((each, at) => (at > 255 ? each.d : one(each)))],
      ],
      1,
    ),
  )('%s', async (_, multiplyGroup) => {
    // The seed and the shape of this case make it the last product of its group.
    const isLast = ({ group, alpha }: GemmProblem) => group === MOST && alpha === -1;
    const found = await verdicts(kernelOf(multiplyGroup), isLast);
    expect(found).toHaveLength(1);
    expect(found.some((text) => text.startsWith('fail'))).toBe(true);
  });
});

describe('a kernel fails', () => {
  const likeFirst =
    (key: 'alpha' | 'beta' | 'k') =>
    ([first, ...rest]: List) =>
      [first, ...rest.map((each) => ({ ...each, gemm: { ...each.gemm, [key]: first.gemm[key] } }))].map(one);
  test.each(
    inShort<[string, (list: List) => readonly Entries[]]>(
      [
        ['whose alpha is the first one for all', likeFirst('alpha')],
        ['whose beta is the first one for all', likeFirst('beta')],
        ['whose k is the first one for all', likeFirst('k')],
        [
          'that leaves out the last',
          (list) => list.map((each, at) => (at === list.length - 1 ? each.d : one(each))),
        ],
        ['that answers in the reverse order', (list) => list.map(one).reverse()],
        ['that answers one too few', (list) => list.slice(1).map(one)],
        [
          'that ends at the first empty product',
          (list) => {
            const end = list.findIndex(({ gemm: { m, n } }) => m * n === 0);
            return list.map((each, at) => (end >= 0 && at > end ? each.d : one(each)));
          },
        ],
        [
          'that takes the first A for all of the same shape',
          (list) =>
            list.map((each) => one(each.a.length === list[0].a.length ? { ...each, a: list[0].a } : each)),
        ],
        [
          'that writes into a neighbour’s A',
          (list) =>
            list.map((each, at) => {
              const next = list[at + 1]?.a;
              if (next !== undefined && next.length > 0) next[0] += 1;
              return one(each);
            }),
        ],
      ],
      3,
    ),
  )('%s', async (_, multiplyGroup) => {
    const found = await verdicts(kernelOf(multiplyGroup));
    expect(found.some((text) => text.startsWith('fail'))).toBe(true);
  });
});
