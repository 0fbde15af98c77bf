import { expect, test } from 'vitest';
import { isWhole } from '../src/base/in-short.testing.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { externalCases } from '../src/gate/external-campaign.ts';
import { countShapeProducts } from '../src/gate/sampler.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { iq4nl } from '../src/precision/formats/whole-formats.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase } from '../src/problem/case.ts';
import { budgetOf } from '../src/run/budget.ts';
import { cpuJudge } from './cpu-judge.ts';
import { some } from './some.ts';

/**
 * The law: a kernel that decodes weights whose elements are numbers of a table passes every drawn case, and is held to exact products of
 * whole numbers. One that mistakes an element or a factor fails.
 *
 * Why: such tables lack 0 and the halves of their numbers, on which the draws of other codings rely.
 */
const BLOCK = 32;

/** Places of a column's elements and factors, by those that are right. */
interface Reading {
  readonly element?: (place: number) => number;
  readonly block?: (place: number) => number;
  readonly number?: (x: number) => number;
}

const same = (x: number): number => x;

/** Multiplies decoded numbers in binary32. Places beyond a column are those of its end. */
function decoding({ element = same, block = same, number = same }: Reading): FunctionKernel {
  return {
    name: 'mine',
    precision: 'iq4_nl',
    multiply(a, b, { m, k, n }, _c, d, factors) {
      const scales = factors?.b?.scales[0] ?? [];
      const per = Math.ceil(k / BLOCK);
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let p = 0; p < k; p++) {
            const x = number(b[Math.min(k - 1, element(p)) * n + j]);
            const factor = scales[j * per + Math.min(per - 1, Math.max(0, block(Math.floor(p / BLOCK))))];
            sum = Math.fround(sum + Math.fround(a[i * k + p] * Math.fround(x * factor)));
          }
          d[i * n + j] = sum;
        }
      }
      return d;
    },
  };
}

/** The products of a case. */
const LARGEST = 2 ** 15;

async function judged(reading: Reading, most: number) {
  const spec = decoding(reading);
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(precisions.find('iq4_nl'), {}));
  const draws = { seed: 20_261_128, ...(budgetOf('usual') as NonNullable<ReturnType<typeof budgetOf>>) };
  const cases = externalCases({ ...defaultCampaign, draws }, spec).filter(
    ({ problem }) => countShapeProducts(problem) <= LARGEST && problem.repeats < 1000,
  );
  return cpuJudge(() => kernel).judge(some(cases, Math.ceil(cases.length / most)));
}

test('a kernel that decodes them passes, and whole numbers are compared exactly', async () => {
  const results = await judged({}, isWhole ? 200 : 40);
  const others = results.filter(({ result }) => result.verdict !== 'pass');
  expect(others.map((each) => [formatCase(each.case), each.result.reason])).toEqual([]);
  const isExact = ({ checks }: (typeof results)[number]['result']) =>
    checks.some(({ name, status }) => name === 'exact' && status === 'pass');
  const whole = results.filter(({ case: { problem } }) => problem.input === 'integers');
  expect(whole.filter(({ result }) => isExact(result)).length).toBeGreaterThan(2);
});

/** The place of an element if the halves of a block are read as pairs that share a byte. */
const asPairs = (place: number): number => {
  const [first, at] = [place - (place % BLOCK), place % BLOCK];
  return first + (at < BLOCK / 2 ? 2 * at : 2 * at - BLOCK + 1);
};

const faults: readonly (readonly [string, Reading])[] = [
  ['elements in pairs', { element: asPairs }],
  [
    'the halves of a block swapped',
    { element: (place) => place - (place % BLOCK) + ((place + BLOCK / 2) % BLOCK) },
  ],
  ['−104 read as −103', { number: (x) => (x === -104 ? -103 : x) }],
  ['1 read as 0', { number: (x) => (x === 1 ? 0 : x) }],
  ['patterns off by one', { number: (x) => iq4nl.code.decode((iq4nl.code.encode(x) + 1) % 16) }],
  ['the factor of the next block', { block: (at) => at + 1 }],
  ['the factor of the previous block', { block: (at) => at - 1 }],
];

test.each(faults)('%s fails', async (_, reading) => {
  const results = await judged(reading, 40);
  expect(results.filter(({ result }) => result.verdict === 'fail').length).toBeGreaterThan(0);
});
