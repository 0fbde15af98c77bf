import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { runCommand } from '../in-process.testing.ts';
import type { DescribeReport } from './describe.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  await runCommand(['describe', ...args]);
  return log.mock.calls.flat().join('\n');
}

const json = async (...args: string[]): Promise<DescribeReport> => JSON.parse(await run(...args, '--json'));

test('one level of Winograd: the facts, then the figure', async () => {
  const text = await run('--algorithm', 'winograd', '--levels', '1', '--size', '4096');
  expect(text).toMatch(/^Winograd\nsource +Li, Ranka, Sahni 2011/);
  expect(text).toContain('steps         15: 7 products, 8 block sums');
  expect(text).toContain('workspace     8,388,608 entries, 0.500 of C');
  expect(text.replace(/\s+/g, ' ')).toMatch(
    /transactions [\d,]+ = 119n³\/32768 \+ 29n²\/64 \(10\.2 % less than classical\)/,
  );
  expect(text).toContain('Level 1 of 1: 4096×4096×4096 once');
  expect(text).toMatch(/^Step {2}Computation {6}GPU kernel$/m);
  expect(text).toMatch(/^ {2}21 {2}C11 = A12 \* B21$/m);
  expect(text).toMatch(/^ {2}22 {2}C11 = T1 \+ C11 {3}mulAdd\(A12, B21, T1, C11\)$/m);
});

test('levels whose calls read the same are listed once', async () => {
  const text = await run('--levels', '3', '--size', '512');
  expect(text.match(/^Level.*/gm)).toEqual([
    'Levels 1 to 2 of 3: 512×512×512 once, 256×256×256 7 times',
    'Level 3 of 3: 128×128×128 49 times',
  ]);
  expect(text).toContain('% more than classical');
});

test('--all lists every step, inner calls marked', async () => {
  const text = await run('--levels', '2', '--all');
  expect(text).toMatch(
    /^ {3}3 {2}C22 = C12 \* C21 {4}strassen\(C12, C21, C22\)\n {3}4 {2}│ C12 = A21 - A11 {2}sub/m,
  );
  const { all } = await json('--levels', '2', '--all');
  expect(text).toContain(`All ${all?.length} rows`);
  expect(await json('--levels', '2')).not.toHaveProperty('all');
});

test('the shape, fringe and tail are those asked for', async () => {
  const options = ['--size', '65x33x17', '--fringe', 'peel', '--tail', 'pad', '--levels', '2'];
  expect(await json(...options)).toMatchObject({
    shape: { m: 65, k: 33, n: 17 },
    fringe: 'peel',
    tail: 'pad',
    levels: 2,
    leaf: { m: 16, k: 8, n: 4 },
    aPriori: { kind: 'normwise' },
  });
  const text = await run(...options);
  expect(text).toMatch(/steps .* thin products of peeling/);
  expect(text).toContain('right fringe of C = A * B');
});

describe('thresholds', () => {
  it.each([
    [['--tau1', '1024', '--tau2', '2048'], 2],
    [['--tau2', '2048'], 2],
    [['--tau1', '2048'], 1],
    [['--tau1', '4096'], 0],
  ])('%s at 4096 are %d levels', async (thresholds, levels) => {
    expect((await json('--size', '4096', ...thresholds)).levels).toBe(levels);
  });
});

test('classical without levels is bounded entry by entry', async () => {
  const text = await run('--algorithm', 'classical', '--levels', '0');
  expect(text).toContain('·|A||B| entry by entry');
  expect(text).toContain('No recursion: 1024×1024×1024');
  expect(text).not.toContain('than classical');
});

test.each([
  [['--algorithm', 'strasen'], /Unknown algorithm "strasen"\. Did you mean "strassen"\?/],
  [['--fringe', 'pee'], /Unknown value of --fringe "pee"\. Did you mean "peel"\?/],
  [['--tail', 'mas'], /Unknown value of --tail "mas"\. Did you mean "mask"\?/],
  [['--size', '0'], /--size must be a whole number from 1 to 32768, but is "0"/],
])('%s is refused with a usage error', async (args, message) => {
  const refused = await run(...args).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ParanoiaError);
  expect((refused as ParanoiaError).message).toMatch(message);
  expect((refused as ParanoiaError).exitCode).toBe(EXIT.usage);
});
