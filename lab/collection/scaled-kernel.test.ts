import { expect, it } from 'vitest';
import { scaledKernel } from '../../lab/collection/scaled-kernel.ts';
import { createRandom } from '../../src/base/random.ts';
import { numbers } from '../../src/evidence/numbers.ts';
import { analysisOf, weigh } from '../../src/evidence/weigh.ts';
import { type Kernel, multiply } from '../../src/kernels/kernel.ts';
import { modelKernel } from '../../src/kernels/model-kernel.ts';
import { matrix } from '../../src/matrix/dense.ts';
import { type Diagonal, diagonals } from '../../src/matrix/diagonal.ts';
import { plainGemm } from '../../src/matrix/gemm.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { singleComputation } from '../../src/precision/single.ts';

const METHOD = { levels: 2, fringe: 'pad', tail: 'mask' } as const;
const strassen = modelKernel('strassen', singleComputation(emulated));

/**
 * A pair in which the lower half of A's rows is 2^20 times as large. Every other column of A is scaled as well, and its row of B
 * is divided by the same factor.
 */
function pair(seed: number) {
  const random = createRandom(seed);
  const entries = (factor: (i: number, j: number) => number) =>
    matrix(
      16,
      16,
      Float32Array.from({ length: 256 }, (_, e) => random.uniform(-1, 1) * factor(e >> 4, e & 15)),
    );
  return {
    a: entries((i, l) => (i < 8 ? 1 : 2 ** 20) * (l % 2 === 0 ? 1 : 2 ** 10)),
    b: entries((l) => (l % 2 === 0 ? 1 : 2 ** -10)),
  };
}

async function measured(kernel: Kernel, seed: number) {
  const job = { kernel, plan: kernel.plan({ m: 16, k: 16, n: 16 }, METHOD), operands: pair(seed) };
  return weigh(job, [await multiply(job)], { analysis: analysisOf(job) });
}

it.each(Object.keys(diagonals) as Diagonal[])('%s: follows its model and stays in its bound', async (how) => {
  for (let seed = 1; seed <= 5; seed++) {
    const { runningBound, equalsModel } = numbers.ask(await measured(scaledKernel(strassen, how), seed));
    expect(equalsModel).toBe(true);
    expect(Number(runningBound?.used)).toBeLessThan(1);
  }
});

it('gives small rows their bits back', async () => {
  const bitsOf = async (kernel: Kernel) => (await measured(kernel, 1)).errors.exact.bits;
  expect(await bitsOf(strassen)).toBeLessThan(8);
  expect(await bitsOf(scaledKernel(strassen, 'outside-inside'))).toBeGreaterThan(18);
});

it('exceeds its bound where a row is not scaled back', async () => {
  const right = scaledKernel(strassen, 'outside');
  const wrong: Kernel = {
    ...right,
    session: {
      run: async (jobs) => {
        const outcomes = await right.session.run(jobs);
        for (const outcome of outcomes)
          if ('c' in outcome) for (let j = 0; j < outcome.c.cols; j++) outcome.c.data[j] *= 2;
        return outcomes;
      },
    },
  };
  expect(Number(numbers.ask(await measured(wrong, 1)).runningBound?.used)).toBeGreaterThan(1);
});

it('is allowed what scaled operands allow, which is not what they allowed before', async () => {
  const scaled = await measured(scaledKernel(strassen, 'outside'), 1);
  const before = await measured(strassen, 1);
  // Before scaling, small rows do not affect large ones; after it, they do.
  const [own, other] = [scaled, before].map(({ analysis }) => analysis?.bound.data.at(-1) ?? 0);
  expect(own).toBeGreaterThan(other);
});

it('takes plain products alone', () => {
  const { refuses, name } = scaledKernel(strassen, 'outside');
  const plain = plainGemm({ m: 4, k: 4, n: 4 });
  expect(name).toBe('strassen:model-outside');
  expect([refuses?.({ m: 4, k: 4, n: 4 }), refuses?.(plain)]).toEqual([undefined, undefined]);
  expect(refuses?.({ ...plain, alpha: 2 })).toMatch(/alpha/);
});
