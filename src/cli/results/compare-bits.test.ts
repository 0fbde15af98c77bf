import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syntheticCase, syntheticResults } from '../../../tests/support/synthetic.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import type { Results } from '../../run/results.ts';
import { runHere } from '../in-process.testing.ts';

const SIZES = Array.from({ length: 40 }, (_, at) => at + 1);

/** Passing cases of one kernel, of sizes from 1 on, with digests. */
const cases = (bitsOf: (n: number) => CaseResult['bits'], sizes: readonly number[] = SIZES) =>
  sizes.map((n): CaseResult => {
    const one = syntheticCase({ algorithm: 'classical', levels: 0, input: 'uniform', n, seed: 1 });
    const bits = bitsOf(n);
    return bits === undefined ? one : { ...one, bits };
  });

function runOf(made: readonly CaseResult[], words: string): Results {
  const { study: _, ...whole } = syntheticResults();
  const count = made.length;
  const counts = { planned: count, run: count, pass: count, fail: 0, inconclusive: 0 };
  const order: Inspection = {
    ...{ kernel: 'classical:register', precision: 'f32', quick: true, seed: 1, findings: [] },
    ...{ measures: { orders: [{ k: 64, order: 'other', words, tree: '(…)' }] }, products: 1, seconds: 1 },
  };
  return {
    ...{ ...whole, verdict: 'pass', growth: [], cases: [...made], inspections: [order] },
    summary: { ...whole.summary, ...counts, comparedWithModel: count, equalToModel: count },
  };
}

const same = (n: number) => ({ d: `d${n}`, operands: `o${n}` });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-bits-'));
  const put = (name: string, made: readonly CaseResult[], words = 'in turn') =>
    writeFile(join(folder, `${name}.json`), JSON.stringify(runOf(made, words)));
  const other = (n: number) => (n % 4 === 0 ? { ...same(n), d: 'x' } : same(n));
  await put('same', cases(same));
  await put('order', cases(other), '4 parts of k/4 terms');
  await put(
    'inputs',
    cases((n) => (n === 3 ? { ...same(n), operands: 'x' } : same(n))),
  );
  await put(
    'both',
    cases((n) => (n === 3 ? { d: 'x', operands: 'x' } : same(n))),
  );
  await put(
    'lost',
    cases((n) => (n === 3 ? undefined : same(n))),
  );
  await put('few', cases(same, [1, 2, 50]));
  await put('none', cases(same, [51]));
  await put(
    'early',
    cases(() => undefined),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const compare = (old: string, recent: string, ...more: readonly string[]) =>
  runHere(folder, ['compare', `${old}.json`, `${recent}.json`, '--bits', ...more]);

it('equal digests end with 0', async () => {
  const { code, stdout } = await compare('same', 'same');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^40 of 40 common cases bit-identical \(exit code 0\)\.$/m);
});

it('differing products end with 1, grouped by what they share, beside the orders of both runs', async () => {
  const { code, stdout } = await compare('same', 'order', '--markdown');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^## gemm-paranoia: 30 of 40 common cases bit-identical; 10 differ /);
  expect(stdout).toMatch(/10 of 40 cases differed, exactly those with . a multiple of 4/);
  expect(stdout).toMatch(/\| classical:register \| +64 \| in turn \| 4 parts of k\/4 terms \|/);
});

it.each(['inputs', 'both'])('other operands are told apart from other products: %s', async (name) => {
  const { code, stdout } = await compare('same', name, '--json');
  expect(code).toBe(1);
  const { differing, otherOperands, groups, kernels } = JSON.parse(stdout);
  expect([differing, groups, otherOperands.length]).toEqual([[], [], 1]);
  expect(kernels[0].counts).toMatchObject({ identical: 39, 'other operands': 1, differing: 0 });
});

it('a product in one run alone is no agreement, cases of one run alone are counted', async () => {
  const lost = await compare('same', 'lost');
  expect(lost.code).toBe(1);
  expect(lost.stdout).toMatch(/39 of 40 common cases bit-identical; 1 had a product in one run alone/);
  const few = await compare('same', 'few', '--json');
  expect(few.code).toBe(0);
  expect(JSON.parse(few.stdout).kernels).toMatchObject([{ onlyBefore: 38, onlyAfter: 1 }]);
});

it('the worst difference lies within the errors of both products', async () => {
  const { stdout } = await compare('same', 'order', '--json');
  const [{ difference }] = JSON.parse(stdout).differing;
  const { maxError } = cases(same, [4])[0].exact!;
  expect(difference).toEqual({ atLeast: 0, atMost: 2 * Number(maxError) });
});

it.each([
  ['none', 'have no case in common'],
  ['early', 'have no product with digests in common'],
])('runs that cannot be compared are refused: %s', async (name, why) => {
  expect(await compare('same', name)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(why),
  });
});
