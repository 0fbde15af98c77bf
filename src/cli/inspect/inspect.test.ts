import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { itWhole } from '../../base/in-short.testing.ts';
import { type Inspection, inspection } from '../../inspect/inspection.ts';
import { displayWidth, plainLook } from '../../report/terminal/text.ts';
import { runCommand } from '../in-process.testing.ts';
import { describeInspection, inspectExitCode } from './inspect.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const code = await runCommand(['inspect', ...args]);
  return { code, text: log.mock.calls.flat().join('\n') };
}

itWhole('inspect --json unmasks a kernel on the software adapter', async () => {
  const { code, text } = await run(
    ...['--kernel', 'winograd:naive', '--levels', '1', '--size', '16', '--quick'],
    ...['--adapter', 'software', '--json'],
  );
  expect(code).toBe(EXIT.pass);
  const { adapter, inspections } = JSON.parse(text);
  expect(adapter).toEqual({ id: expect.any(String), name: expect.any(String) });
  expect(inspections).toHaveLength(1);
  const found = inspection.parse(inspections[0]);
  expect(found).toMatchObject({
    kernel: 'winograd:naive',
    precision: 'f32',
    quick: true,
    contradictions: [],
  });
  expect(found.measures).toMatchObject({
    algorithm: 'winograd',
    levels: 1,
    operandBits: 24,
    accumulatorBits: 24,
  });
});

test.each([
  [['--kernel', 'winograd:naiv'], 'unknown-name'],
  [[], 'missing-option'],
  [['--kernel', 'strassen:naive', '--levels', '16'], 'bad-number'],
  [['--kernel', 'strassen:naive', '--precision', 'f8'], 'unknown-name'],
])('inspect %j is refused', async (args, code) => {
  await expect(run(...args, '--adapter', 'software')).rejects.toMatchObject({ code, exitCode: EXIT.usage });
});

const found: Inspection = {
  kernel: 'mine',
  precision: 'f32',
  quick: false,
  seed: 1,
  findings: [
    {
      id: 'operand-bits',
      question: 'How many significant bits of the entries of A and B are multiplied?',
      answer: '11',
      value: 11,
      confidence: 'proved',
      evidence: `Entries of 11 bits come through, entries of 12 bits do not: ${'('.repeat(200)}`,
    },
  ],
  measures: { operandBits: 11 },
  products: 12,
  seconds: 0.25,
};
const look = { ...plainLook, width: 100 };

describe('an inspection as text', () => {
  test('is a table, then what it disproves', () => {
    const text = describeInspection({ ...found, contradictions: ['It claims f32, but it is not.'] }, look);
    expect(text).toMatch(/^question +answer +confidence +evidence\nHow many .* 11 +proved +Entries/);
    expect(text).toMatch(
      /\n\nDisproved:\n- It claims f32, but it is not\.\n1 answer from 12 products in 0\.3 s\.$/,
    );
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(100);
  });

  test('says so where nothing is disproved', () => {
    expect(describeInspection(found, look)).toContain('No claim was disproved.');
  });
});

test('exit codes: 0 for nothing disproved, 1 for something, 5 for a crash, 4 for nothing asked', () => {
  expect(inspectExitCode(found)).toBe(EXIT.pass);
  expect(inspectExitCode({ ...found, contradictions: ['It does not.'] })).toBe(EXIT.fail);
  const crashes = ['mine crashed while it computed 1×1×1: signal 11.'];
  expect(inspectExitCode({ ...found, crashes })).toBe(EXIT.crash);
  expect(inspectExitCode({ ...found, crashes, contradictions: ['It does not.'] })).toBe(EXIT.fail);
  expect(describeInspection({ ...found, crashes }, look)).toContain(`Crashed:\n- ${crashes[0]}\n`);
  const unasked = found.findings.map((one) => ({ ...one, confidence: 'unknown' as const }));
  expect(inspectExitCode({ ...found, findings: unasked })).toBe(EXIT.inconclusive);
});
