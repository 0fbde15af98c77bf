import { afterEach, expect, it, vi } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runCommand } from '../../src/cli/in-process.testing.ts';
import { commands } from '../commands.ts';

afterEach(() => vi.restoreAllMocks());

async function run(flags: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const code = await runCommand(['honest', '--adapter', 'software', ...words], commands);
  return { code, text: log.mock.calls.flat().join('\n') };
}

itWhole('judges honest cases, and counts what fails', async () => {
  const { code, text } = await run({ cases: '3', seed: '197' });
  expect(code).toBe(EXIT.pass);
  expect(text).toMatch(
    /^On .*, seed 197: 3 of 3 correct cases in .*: \d passed, 0 false alarms, \d inconclusive\.$/m,
  );
  expect(text).toMatch(/^complete +3 +0 +0$/m);
  const one = await run({ case: 'kernel=sum-pairwise-4;m=3;k=40;n=4' });
  expect(one.text).toMatch(/: 1 of 1 correct cases .*: 1 passed/);
});

it.each([
  [{ cases: '0' }, '--cases must be a whole number from 1'],
  [{ cases: '4', case: 'kernel=sum-pairwise-4;m=3;k=40;n=4' }, '--case cannot be combined with --cases'],
])('refuses %o', async (flags: Readonly<Record<string, string>>, message) => {
  await expect(run(flags)).rejects.toThrow(message);
});
