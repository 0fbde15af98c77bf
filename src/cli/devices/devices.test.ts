import { afterEach, expect, test, vi } from 'vitest';
import { plainLook } from '../../report/terminal/text.ts';
import { runCommand } from '../in-process.testing.ts';
import { describeSurvey, type Survey } from './devices.ts';

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await runCommand(['devices', ...args]);
  return log.mock.calls.flat().join('\n');
}

test('devices --json lists at least the software adapter, and marks exactly one', async () => {
  const survey: Survey = JSON.parse(await run('--json'));
  expect(survey.devices.filter(({ chosen }) => chosen)).toHaveLength(1);
  expect(survey.devices).toContainEqual(
    expect.objectContaining({
      kind: 'software',
      fingerprint: expect.objectContaining({ id: expect.any(String) }),
      arithmetic: expect.objectContaining({ modeled: true }),
    }),
  );
});

test('devices as text', async () => {
  const text = await run();
  expect(text).toMatch(/^(\* )?.*\(software, vulkan, (bundled|system)\)$/m);
  expect(text).toMatch(/^arithmetic +fma rounds (once|twice); \+ and × round to nearest; subnormals are /m);
  expect(text).toMatch(/^\* default adapter of a gate: /m);
});

test('no adapter, and one that does not open', () => {
  expect(describeSurvey({ devices: [], notes: ['no driver was found'] }, plainLook)).toBe(
    '\nNo GPU adapter was found on this machine.\nno driver was found',
  );
  const broken = { name: 'X', kind: 'hardware', backend: 'vulkan', source: 'system', chosen: true } as const;
  const survey = {
    devices: [{ ...broken, error: 'X provides no device: busy' }],
    because: 'it is',
    notes: [],
  };
  expect(describeSurvey(survey, plainLook)).toMatch(
    /^\* X \(hardware, vulkan, system\)\nerror +X provides no device: busy\n/,
  );
});
