import cac from 'cac';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { faults } from '../kernel/faults/faults.ts';
import { EXIT } from '../problems.ts';
import { registerSelfTest } from './selftest.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  const cli = cac('gemm-paranoia');
  registerSelfTest(cli);
  cli.parse(['node', 'gemm-paranoia', 'selftest', '--adapter', 'software', ...args], { run: false });
  const code = await cli.runMatchedCommand();
  return { code, text: log.mock.calls.flat().join('\n') };
}

describe('selftest', () => {
  it('tells of each fault what the gate says of it, with the command that repeats it', async () => {
    const { code, text } = await run('--fault', 'dropped-last-k,transposed-b');
    expect(code).toBe(EXIT.pass);
    expect(text).toMatch(/^On .*: 2 planted faults\.$/m);
    expect(text).toMatch(/^dropped-last-k \(classical:naive\): the loop over k stops one term early$/m);
    expect(text).toMatch(/^ {2}failed at case \d+$/m);
    expect(text).toMatch(/^ {2}\d+ of \d+ entries differ .*as if the last term of k were missing\.$/m);
    expect(text).toMatch(/^ {2}npx gemm-paranoia gate --case '.*;fault=transposed-b'$/m);
    expect(text).toMatch(/^2 of 2 faults failed the gate; 2 messages point at the cause\.$/m);
  });

  it('compares binary64 with this engine instead, on as many patterns as are asked for', async () => {
    const { code, text } = await run('--binary64', '1000');
    expect(code).toBe(EXIT.pass);
    expect(Number(/: (\d+) results/.exec(text)?.[1])).toBeGreaterThan(4 * 1000 + 4 * 1e5);
    expect(text).toMatch(/^All have the same bits\.$/m);
    await expect(run('--binary64', 'many')).rejects.toThrow('--binary64 must be a whole number from 0');
    await expect(run('--binary64', '1', '--fault', 'transposed-b')).rejects.toThrow('not both');
  });

  it('prints JSON', async () => {
    const { code, text } = await run('--fault', 'dropped-last-k', '--json');
    expect(code).toBe(EXIT.pass);
    expect(JSON.parse(text)).toEqual([
      expect.objectContaining({
        name: 'dropped-last-k',
        kernel: 'classical:naive',
        killed: true,
        pointed: true,
        reason: expect.stringContaining('as if the last term of k were missing'),
      }),
    ]);
  });

  it('exits 1 when a fault is missed', async () => {
    const fault = faults.find(({ name }) => name === 'dropped-k-tail');
    // Planted where there is no such loop, it does nothing.
    vi.spyOn(fault!, 'kernel', 'get').mockReturnValue('classical:naive');
    vi.spyOn(fault!, 'levels', 'get').mockReturnValue([0]);
    const { code, text } = await run('--fault', 'dropped-k-tail');
    expect(code).toBe(EXIT.fail);
    expect(text).toMatch(/^ {2}MISSED$/m);
    expect(text).toMatch(/^0 of 1 faults failed the gate/m);
  });

  it.each([
    [['--fault', 'dropped-last'], /Unknown planted fault .* Did you mean "dropped-last-k"\?/],
    [['--fault', 'stale-tile,'], /^Give --fault once, with values separated by commas\.$/],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
    await expect(run(...args)).rejects.toMatchObject({ exitCode: EXIT.usage });
  });
});
