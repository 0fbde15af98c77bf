import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { isWhole, itWhole } from '../../base/in-short.testing.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { FaultOutcome } from '../../gate/self-test.ts';
import { faults, findFault } from '../../kernels/faults/faults.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import { plainLook } from '../../report/terminal/text.ts';
import { runCommand } from '../in-process.testing.ts';
import { classTables, faultText, verdictText } from './selftest.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  const code = await runCommand(['selftest', '--adapter', 'software', ...args]);
  return { code, text: log.mock.calls.flat().join('\n') };
}

describe('selftest', () => {
  itWhole('tells of each fault what the gate says of it, with the command that repeats it', async () => {
    const { code, text } = await run('--fault', 'dropped-last-k,transposed-b');
    expect(code).toBe(EXIT.pass);
    expect(text).toMatch(/^On .*: 2 planted faults\.$/m);
    expect(text).toMatch(/^dropped-last-k \(classical:naive\): the loop over k stops one term early$/m);
    expect(text).toMatch(/^ {2}failed at case \d+$/m);
    expect(text).toMatch(/^ {2}\d+ of \d+ entries differ .*the last term of k is missing\.$/m);
    expect(text).toMatch(/^ {2}npx gemm-paranoia gate --case '.*;fault=transposed-b'$/m);
    expect(text).toMatch(/^class +planted +killed +missed\nindexing +1 +1 +-\nlayout +1 +1 +-$/m);
    expect(text).toMatch(/^2 of 2 faults failed the gate; 2 messages name the cause\.$/m);
  });

  it('tells how small a fault may be, and what is out of sight', () => {
    const told = (name: string, failed: boolean, unlike = 0): FaultOutcome => {
      const found = failed ? ({ reason: 'wrong', replay: 'again' } as CaseResult) : undefined;
      return { fault: findFault(name), run: 20, failed: found, pointed: failed, unlike };
    };
    const [caught, missed, unseen] = [
      told('accumulator-20-bits', true),
      told('accumulator-23-bits', false, 9),
      told('negative-zero', false),
    ];
    expect(faultText(caught)).toMatch(/: sums are kept in 20 bits\n {2}failed at case 20\n$/);
    expect(faultText(missed)).toMatch(/missed in all 20 cases; 9 of them differ from the bit-exact model/);
    expect(faultText(unseen)).toMatch(/MISSED in all 20 cases, because zeros of both signs are equal/);
    expect(faultText({ ...unseen, run: 0 })).toMatch(
      /\n {2}NOT PLANTED: it changes no result of its cases\n/,
    );
    const text = terminalTables(classTables([caught, missed, unseen]), plainLook);
    expect(text).toMatch(/^precision +accumulator +20 bits +23 bits +sums are kept in 20 bits$/m);
    expect(text).toMatch(/^special-values +1 +0 +negative-zero \(out of sight\)$/m);
    expect(verdictText([caught, missed, unseen])).toMatch(
      /^0 of 1 faults failed .* 1 fault out of the gate's sight, as known\.$/,
    );
  });

  it.runIf(isWhole)(
    'compares binary64 with this engine instead, on as many patterns as are asked for',
    async () => {
      const { code, text } = await run('--binary64', '1000');
      expect(code).toBe(EXIT.pass);
      expect(Number(/: (\d+) results/.exec(text)?.[1])).toBeGreaterThan(4 * 1000 + 4 * 1e5);
      expect(text).toMatch(/^All have the same bits\.$/m);
      await expect(run('--binary64', 'many')).rejects.toThrow('--binary64 must be a whole number from 0');
      await expect(run('--binary64', '1', '--fault', 'transposed-b')).rejects.toThrow(
        '--binary64 cannot be combined with --fault',
      );
    },
  );

  itWhole('prints JSON', async () => {
    const { code, text } = await run('--fault', 'dropped-last-k', '--json');
    expect(code).toBe(EXIT.pass);
    expect(JSON.parse(text)).toMatchObject({
      adapter: expect.stringContaining('SwiftShader'),
      faults: [
        {
          name: 'dropped-last-k',
          class: 'indexing',
          kernel: 'classical:naive',
          killed: true,
          pointed: true,
          reason: expect.stringContaining('the last term of k is missing'),
        },
      ],
      classes: [{ class: 'indexing', planted: 1, killed: 1, missed: [], unplanted: [], ladders: [] }],
    });
  });

  itWhole('exits 1 when a fault is missed', async () => {
    const fault = faults.find(({ name }) => name === 'f16-ties-away');
    // A fault that goes unseen without being marked as such.
    vi.spyOn(fault!, 'unseen', 'get').mockReturnValue(undefined);
    const { code, text } = await run('--fault', 'f16-ties-away');
    expect(code).toBe(EXIT.fail);
    expect(text).toMatch(/^ {2}MISSED in all \d+ cases/m);
    expect(text).toMatch(/^0 of 1 faults failed the gate/m);
  });

  it.each([
    [['--fault', 'dropped-last'], /Unknown planted fault .* Did you mean "dropped-last-k"\?/],
    [['--fault', 'stale-tile,'], /^--fault "stale-tile," has an empty value. /],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
    await expect(run(...args)).rejects.toMatchObject({ exitCode: EXIT.usage });
  });
});
