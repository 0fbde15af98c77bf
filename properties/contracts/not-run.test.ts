import { afterEach, expect, it, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import { notRun } from '../../config/not-run.ts';
import { lackOf, lacks, needs } from '../../tests/support/needs.ts';

/** A check that does not run because its machine lacks something is named, or is an error: never a silent pass. */
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const GCC = 'there is no gcc here (apt-get install gcc)';

function withoutGcc(environment: Readonly<Record<string, string>>): void {
  vi.spyOn(needs.gcc, 'isThere').mockReturnValue(false);
  for (const [name, value] of Object.entries({ CI: '', NOT_INSTALLED: '', ...environment }))
    vi.stubEnv(name, value);
}

it('a missing program skips its checks, and says what brings it', () => {
  withoutGcc({});
  expect([lacks('gcc'), lackOf('gcc')]).toEqual([true, GCC]);
});

it('CI requires a program that .ci/run could have installed', () => {
  withoutGcc({ CI: 'true' });
  expect(() => lacks('gcc')).toThrow(
    'There is no gcc here, and CI=true requires it: run .ci/run, or apt-get install gcc.',
  );
  withoutGcc({ CI: 'true', NOT_INSTALLED: ' chromium gcc' });
  expect(lacks('gcc')).toBe(true);
});

it('CI does not require what .ci/run never installs', () => {
  vi.stubEnv('CI', 'true');
  vi.spyOn(needs.firefox, 'isThere').mockReturnValue(false);
  expect(lacks('firefox')).toBe(true);
});

/** Returns the lines that the reporter prints about skipped checks. */
function told(...skipped: readonly { readonly fullName: string; readonly note?: string }[]): string[] {
  const tests = skipped.map(({ fullName, note }) => ({
    fullName,
    result: () => ({ state: 'skipped', note }),
  }));
  const module = { relativeModuleId: 'a.check.ts', children: { allTests: () => tests } };
  const log = vi.spyOn(console, 'log').mockReturnValue();
  notRun.onTestRunEnd?.([module as unknown as TestModule], [], 'passed');
  return log.mock.calls.map(([line]) => String(line).trim());
}

it('the last line counts the checks that were not run, and those before it name them', () => {
  expect(
    told(
      { fullName: 'compiles [needs gcc]' },
      { fullName: 'holds it', note: 'there are no namespaces here' },
      { fullName: 'is asked in the nightly tier alone' },
    ),
  ).toEqual([
    `Not run, because ${GCC}:`,
    'a.check.ts: compiles',
    'Not run, because there are no namespaces here:',
    'a.check.ts: holds it',
    'Not run for lack of something on this machine: 2 checks.',
  ]);
  vi.restoreAllMocks();
  expect(told()).toEqual(['Not run for lack of something on this machine: 0 checks.']);
});
