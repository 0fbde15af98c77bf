import { afterEach, expect, test, vi } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import type { ProbeAnswer } from '../../gpu/probe/question.ts';
import { probeTable } from '../../pages/sections/device.ts';
import { terminalTable } from '../../report/terminal/table.ts';
import { displayWidth, plainLook } from '../../report/terminal/text.ts';
import { runCommand } from '../in-process.testing.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const code = await runCommand(['probe', ...args]);
  return { code, text: log.mock.calls.flat().join('\n') };
}

test('probe --json tells the adapter, its arithmetic and the answers', async () => {
  const { code, text } = await run('--adapter', 'software', '--json');
  expect(code).toBe(EXIT.pass);
  expect(JSON.parse(text)).toEqual({
    adapter: expect.objectContaining({ kind: 'software' }),
    arithmetic: expect.objectContaining({ modeled: expect.any(Boolean) }),
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

test('a table by groups, with a mark on what WGSL forbids, that fits the terminal', () => {
  const answers = [
    answer('a'),
    answer('b', { standing: 'broken', answer: `${'much '.repeat(12)}too long for a line` }),
    answer('x', { group: 'others', standing: 'absent' }),
  ];
  const lines = terminalTable(probeTable(answers), { ...plainLook, width: 80 });
  expect(lines[1]).toMatch(/^of +question +answer +WGSL promises +standing$/);
  expect(lines[2]).toMatch(/^sums +how a rounds +to nearest +correctly.* as IEEE 754$/);
  expect(lines.join('\n')).toMatch(/^ +how b rounds +much .*✗ WGSL/m);
  expect(lines.join('\n')).toMatch(/^others +how x rounds +to nearest +correctly.* - not offered/m);
  expect(lines.at(-1)).toBe('3 questions; 1 forbidden by WGSL.');
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});
