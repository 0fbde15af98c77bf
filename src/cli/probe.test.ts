import cac from 'cac';
import { afterEach, expect, test, vi } from 'vitest';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';
import { EXIT } from '../problems.ts';
import { displayWidth } from '../report/columns.ts';
import { describeAnswers, registerProbe } from './probe.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const cli = cac('gemm-paranoia');
  registerProbe(cli);
  cli.parse(['node', 'gemm-paranoia', 'probe', ...args], { run: false });
  const code = await cli.runMatchedCommand();
  return { code, text: log.mock.calls.flat().join('\n') };
}

test('probe --json tells the adapter, its arithmetic and the answers', async () => {
  const { code, text } = await run('--adapter', 'software', '--json');
  expect(code).toBe(EXIT.pass);
  expect(JSON.parse(text)).toEqual({
    adapter: expect.objectContaining({ kind: 'software' }),
    arithmetic: expect.objectContaining({ fused: expect.any(Boolean) }),
    answers: expect.arrayContaining([expect.objectContaining({ id: 'f32.fma', group: 'rounding of f32' })]),
  });
});

test('no such adapter', async () => {
  await expect(run('--adapter', 'no such adapter')).rejects.toMatchObject({
    code: 'no-adapter',
    exitCode: EXIT.noAdapter,
  });
});

const answer = (id: string, more: Partial<ProbeAnswer> = {}): ProbeAnswer => ({
  id,
  group: 'sums',
  question: `how ${id} rounds`,
  answer: 'to nearest',
  promise: 'correctly rounded',
  standing: 'ieee',
  ...more,
});

test('a table by groups, with marks and no promise told twice', () => {
  const answers = [
    answer('a'),
    answer('x', { group: 'others', standing: 'absent' }),
    answer('b', { standing: 'broken', answer: `${'much '.repeat(12)}too long for a line` }),
  ];
  const text = describeAnswers(answers, 80);
  expect(text).toMatch(
    /^ {2}sums +WGSL promises\n {2}how a rounds +to nearest +correctly rounded\n! how b rounds +much .* ″\n/,
  );
  expect(text).toMatch(/^ {2}others +WGSL promises\n- how x rounds +to nearest +correctly rounded$/m);
  expect(text).toMatch(/3 questions; 1 that WGSL forbids\.$/);
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});
