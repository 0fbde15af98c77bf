import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { EXIT } from '../errors.ts';
import { resourceError } from '../system-errors.ts';
import { importFile } from './import-file.ts';

it('an end in the middle is of the file that is being loaded, else of whoever calls process.exit', async () => {
  // Other tests of this process must not affect the recorded end.
  vi.resetModules();
  const { makeEarlyEndError, expectEnd, blameWhileLoading } = await import('./ending.ts');
  const end = { exitCode: EXIT.ended };
  await blameWhileLoading('a.mjs', async () => {
    expect(makeEarlyEndError(false)).toMatchObject({
      ...end,
      message: expect.stringMatching(/^a\.mjs ended the program/),
    });
    expect(makeEarlyEndError(true)).toMatchObject({
      ...end,
      message: expect.stringMatching(/^a\.mjs never finishes/),
    });
  });
  expect(makeEarlyEndError(false)).toMatchObject({
    ...end,
    message: expect.stringMatching(/^Code of a config/),
  });
  expect(makeEarlyEndError(true)?.message).toContain('a promise that never settles');
  expectEnd();
  expect(makeEarlyEndError(false)).toBeUndefined();
});

it('a file that others keep alive, and that never finishes loading, is not waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ending-'));
  const path = join(folder, 'never.mjs');
  writeFileSync(path, 'await new Promise(() => {}); export default 1;');
  const kept = setInterval(() => {}, 1000);
  await expect(importFile(path, (why) => new Error(why), 0.05)).rejects.toThrow(
    'did not finish loading within 0.05 s',
  );
  clearInterval(kept);
  rmSync(folder, { recursive: true });
});

it('what a machine does not give is told from what a program does wrong', () => {
  const short = Object.assign(new Error('spawn'), { code: 'EMFILE' });
  expect(resourceError(new Error('outer', { cause: short }))).toMatchObject({
    exitCode: EXIT.resources,
    blames: 'machine',
  });
  expect(resourceError(Object.assign(new Error(), { code: 'ENOENT' }))).toBeUndefined();
  expect(resourceError('text')).toBeUndefined();
});
