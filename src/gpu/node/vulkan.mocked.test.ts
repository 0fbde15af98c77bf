import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openNodeDevice } from './open.ts';
import { loadVulkan } from './vulkan.ts';

const folder = mkdtempSync(join(tmpdir(), 'vulkan-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of koffi; undefined stands for its installed place. */
let elsewhere: string | undefined;
afterEach(() => {
  elsewhere = undefined;
});
vi.mock('node:module', async (original) => {
  const real = await original<typeof import('node:module')>();
  const mocked = (from: string | URL) => {
    const require = real.createRequire(from);
    const through = (name: string) =>
      name === 'koffi' && elsewhere !== undefined ? real.createRequire(elsewhere)(name) : require(name);
    return Object.assign(through, { resolve: require.resolve });
  };
  return { ...real, createRequire: mocked };
});

describe.runIf(process.platform === 'linux')('where Vulkan cannot be loaded', () => {
  test('koffi without its native part is what is missing, told once, with what to do', async () => {
    const koffi = dirname(createRequire(import.meta.url).resolve('koffi'));
    mkdirSync(join(folder, 'node_modules'));
    // The files that `npm install --omit=optional` leaves.
    for (const part of ['package.json', 'index.cjs', 'src/koffi']) {
      cpSync(join(koffi, part), join(folder, 'node_modules/koffi', part), { recursive: true });
    }
    elsewhere = join(folder, 'from.js');
    const { message } = await openNodeDevice().catch((error) => error);
    expect(message).toContain(
      `koffi, which opens Vulkan, cannot be loaded (Cannot find the native Koffi module; did you bundle it correctly?): install its native part with npm install --include=optional, as @koromix/koffi-${process.platform}-${process.arch}`,
    );
    expect(message.split('koffi, which')).toHaveLength(2);
    expect(message).not.toContain('loader');
  });

  test('a loader that is refused is named, with why', () => {
    const own = join(folder, 'own/node_modules/koffi');
    mkdirSync(own, { recursive: true });
    writeFileSync(
      join(own, 'index.js'),
      "exports.load = (path) => { throw new Error('no ' + path + ':\\nwrong ELF class'); };",
    );
    elsewhere = join(folder, 'own/from.js');
    const why = (path: string) => `no Vulkan loader could be loaded (${path}): install libvulkan.so.1`;
    expect(loadVulkan(undefined)).toBe(why('no libvulkan.so.1: wrong ELF class'));
    expect(loadVulkan('/it/libvulkan.so.1')).toBe(
      why('no libvulkan.so.1: wrong ELF class; no /it/libvulkan.so.1: wrong ELF class'),
    );
  });
});
