import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Runtime } from './runtime.ts';
import { firefox } from './runtimes.ts';
import { startRuntime } from './start-runtime.ts';

const how = {
  page: new URL('http://127.0.0.1:1/'),
  module: new URL('http://127.0.0.1:1/gate.mjs'),
  toggles: [],
  software: undefined,
};

/** A runtime that runs a Node script with its folder as argument; the script writes a file there. */
const of = (script: string): Runtime => ({
  ...firefox,
  start: ({ folder }) => ({
    words: ['-e', `require('fs').writeFileSync('note', process.env.MINE + process.env.NO_PROXY);${script}`],
    env: { MINE: `${folder} ` },
    files: { 'user.js': 'mine' },
  }),
});

it.skipIf(process.platform === 'win32')('tells how a runtime ended, and removes its folder', async () => {
  const script = `console.error(process.cwd()); process.exit(3);`;
  const started = startRuntime(of(script), process.execPath, how, false);
  const why = await started.ended;
  expect(why).toMatch(/^it ended with exit code 3, and its standard error ends with "\/.*tmp\..*"$/);
  const folder = /"(.*)"/.exec(why)?.[1] ?? '';
  expect(readdirSync(folder).sort()).toEqual(['note', 'user.js']);
  expect(readFileSync(`${folder}/note`, 'utf8')).toBe(`${folder} 127.0.0.1`);
  await started.end();
  expect(existsSync(folder)).toBe(false);
});

it.skipIf(process.platform === 'win32')('ends one that would not end', async () => {
  const started = startRuntime(of('setInterval(() => {}, 1000);'), process.execPath, how, false);
  await started.end();
  expect(await started.ended).toContain('it was ended by SIGKILL');
});

it('tells that one cannot be started', async () => {
  const started = startRuntime(firefox, '/nowhere/firefox', how, false);
  expect(await started.ended).toContain('it could not be started: spawn /nowhere/firefox ENOENT');
  await started.end();
});
