import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { pathExists, resolveRealPath } from './read-file.ts';
import { runUninterrupted } from './run-uninterrupted.ts';

it.runIf(process.platform !== 'win32')('a signal is heard after what it is not to end, once', async () => {
  const heard: string[] = [];
  const listener = () => heard.push('signal');
  const before = process.listenerCount('SIGHUP');
  process.on('SIGHUP', listener);
  try {
    runUninterrupted(() => {
      process.kill(process.pid, 'SIGHUP');
      heard.push('done');
    });
    runUninterrupted(() => heard.push('done'));
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(heard).toEqual(['done', 'done', 'signal']);
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
  } finally {
    process.off('SIGHUP', listener);
  }
});

it('whether something is there is told, or that it cannot be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'there-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect([file, join(folder, 'none'), join(file, 'below')].map(pathExists)).toEqual([true, false, false]);
  expect(await resolveRealPath(join(folder, 'none'))).toBeUndefined();
  expect(await resolveRealPath(file)).toMatch(/file$/);
  expect(() => pathExists('\0')).toThrow();
  await expect(resolveRealPath('\0')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['file']);
  rmSync(folder, { recursive: true });
});
