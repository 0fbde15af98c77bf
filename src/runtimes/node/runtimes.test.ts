import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runtimeNames } from '../names.ts';
import { findRuntime, versionOf } from './judge-in.ts';
import { findRuntimeByName, runtimes } from './runtimes.ts';

const [chromium, firefox, deno] = runtimes;

describe('a runtime', () => {
  it('is named, or is this one', () => {
    expect(runtimeNames.map((name) => findRuntimeByName(name)?.name)).toEqual([
      ...['chromium', 'firefox', 'deno', undefined],
    ]);
    expect(findRuntimeByName(undefined)).toBe(undefined);
  });

  const urls = { page: new URL('http://127.0.0.1:1/s/'), module: new URL('http://127.0.0.1:1/s/gate.mjs') };
  const driver = { icd: '/d/icd.json', loader: '/d/libvulkan.so.1', origin: 'a package 1.0.0' };

  it('is started in its own folder, with the page or the module', () => {
    const how = { ...urls, folder: '/f', toggles: [], software: driver };
    for (const { name, start } of runtimes) {
      const { words, env, files = {} } = start(how);
      expect(words.at(-1)).toBe(name === 'deno' ? urls.module.href : urls.page.href);
      expect([...words, ...Object.values(env)].join(' ')).toContain('/f');
      expect(Object.keys(files)).toEqual(name === 'firefox' ? ['user.js'] : []);
    }
    expect(firefox.start(how).files?.['user.js']).toContain('user_pref("dom.webgpu.enabled", true);\n');
  });

  it('computes in software where that is chosen, and is left its choice where not', () => {
    const of = (software: typeof driver | 'own' | undefined) => ({
      ...urls,
      folder: '/f',
      toggles: [],
      software,
    });
    for (const { start } of [firefox, deno]) {
      expect(start(of(driver)).env).toMatchObject({ VK_DRIVER_FILES: '/d/icd.json', LD_LIBRARY_PATH: '/d' });
      expect(start(of(undefined)).env).not.toHaveProperty('VK_DRIVER_FILES');
    }
    expect(chromium.start(of('own')).words).toContain('--use-webgpu-adapter=swiftshader');
    expect(chromium.start(of(undefined)).words).not.toContain('--use-webgpu-adapter=swiftshader');
  });

  it('is given toggles where Dawn computes', () => {
    const { words } = chromium.start({ ...urls, folder: '/f', toggles: ['a', 'b'], software: 'own' });
    expect(words).toContain('--enable-dawn-features=a,b');
    expect(runtimes.filter(({ takesToggles }) => takesToggles)).toEqual([chromium]);
  });
});

describe.skipIf(process.platform === 'win32')('its program', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'find-runtime-'));
    for (const at of ['path', 'project/node_modules/.bin', 'project/a'])
      mkdirSync(join(folder, at), { recursive: true });
    for (const file of ['path/firefox-esr', 'project/node_modules/.bin/deno', 'mine']) put(file);
    writeFileSync(join(folder, 'text'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  function put(file: string) {
    writeFileSync(join(folder, file), '#!/bin/sh\necho "Mozilla Firefox 153.7.0esr"\n');
    chmodSync(join(folder, file), 0o755);
  }

  it('is the one of its variable, of the path, or of the project', () => {
    const find = (runtime: typeof deno, env = {}) =>
      findRuntime(runtime, { PATH: join(folder, 'path'), ...env }, join(folder, 'project/a'));
    expect(find(firefox)).toBe(join(folder, 'path/firefox-esr'));
    expect(find(firefox, { FIREFOX_PATH: join(folder, 'mine') })).toBe(join(folder, 'mine'));
    expect(find(deno)).toBe(join(folder, 'project/node_modules/.bin/deno'));
    expect(() => find(deno, { DENO_PATH: join(folder, 'text') })).toThrow(
      `deno was not found: DENO_PATH is ${join(folder, 'text')}, which is not a program. Install Deno 2 (npm i -D deno), or set DENO_PATH to its path.`,
    );
    expect(() => findRuntime({ ...chromium, places: [] }, { PATH: '' }, folder)).toThrow(
      'chromium or chromium-browser or google-chrome or google-chrome-stable or chrome is not in the PATH',
    );
  });

  it('says its version, or does not', async () => {
    expect(await versionOf(join(folder, 'mine'))).toBe('153.7.0esr');
    expect(await versionOf(join(folder, 'text'))).toBe(undefined);
  });
});
