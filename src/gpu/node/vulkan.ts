import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { homeFolder } from './cache.ts';
import type { SoftwareDriver } from './swiftshader.ts';

const DRIVER_VARIABLES = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'] as const;

/** True if the Vulkan loader would find a system driver. Without one Dawn warns on stderr. */
export function hasVulkanDriver(): boolean {
  const named = ([...DRIVER_VARIABLES, 'VK_ADD_DRIVER_FILES'] as const).some((name) => process.env[name]);
  return named || driverFolders().some((folder) => filesOf(folder).some((file) => file.endsWith('.json')));
}

function driverFolders(): string[] {
  const { XDG_CONFIG_HOME, XDG_CONFIG_DIRS, XDG_DATA_HOME, XDG_DATA_DIRS } = process.env;
  const home = homeFolder();
  const roots = [
    XDG_CONFIG_HOME || join(home, '.config'),
    ...(XDG_CONFIG_DIRS || '/etc/xdg').split(':'),
    '/usr/local/etc',
    '/etc',
    XDG_DATA_HOME || join(home, '.local/share'),
    ...(XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':'),
  ];
  return roots.map((root) => join(root, 'vulkan/icd.d'));
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// Loaded lazily: only Linux needs it, and the native addon may be missing elsewhere.
const koffi = (): typeof import('koffi') => createRequire(import.meta.url)('koffi');

/** The loaded libraries, kept for the life of the process. */
const loaded: unknown[] = [];

/**
 * Loads `libvulkan.so.1`: the system's, otherwise the given one.
 * @returns undefined on success; otherwise the missing part and its remedy, as a clause.
 */
export function loadVulkan(fallback: string | undefined): string | undefined {
  if (loaded.length > 0) return undefined;
  let load: (path: string) => unknown;
  try {
    load = koffi().load;
  } catch (error) {
    return `koffi, which opens Vulkan, cannot be loaded (${lineOf(error)}): install its native part with npm install --include=optional, as @koromix/koffi-${process.platform}-${process.arch}`;
  }
  const refusals: string[] = [];
  for (const path of ['libvulkan.so.1', fallback]) {
    if (path === undefined) continue;
    try {
      loaded.push(load(path));
      return undefined;
    } catch (error) {
      refusals.push(lineOf(error));
    }
  }
  return `no Vulkan loader could be loaded (${refusals.join('; ')}): install libvulkan.so.1`;
}

const lineOf = (error: unknown) => (error as Error).message.trim().replaceAll(/\s+/g, ' ');

/**
 * Runs `use` while the Vulkan loader sees only the given driver. The loader reads the environment when Dawn enumerates adapters, which
 * `requestAdapter` does before it returns its promise.
 */
export function withDriver<T>(driver: SoftwareDriver, use: () => T): T {
  const { getenv, setenv, unsetenv } = environment();
  const before = DRIVER_VARIABLES.map((name) => [name, getenv(name)] as const);
  for (const name of DRIVER_VARIABLES) setenv(name, driver.icd, 1);
  try {
    return use();
  } finally {
    for (const [name, value] of before) {
      if (value === null) unsetenv(name);
      else setenv(name, value, 1);
    }
  }
}

// In a worker thread process.env is a copy that native code does not see.
function environment(): {
  getenv(name: string): string | null;
  setenv(name: string, value: string, overwrite: number): number;
  unsetenv(name: string): number;
} {
  const libc = koffi().load('libc.so.6');
  return {
    getenv: libc.func('const char *getenv(const char *name)'),
    setenv: libc.func('int setenv(const char *name, const char *value, int overwrite)'),
    unsetenv: libc.func('int unsetenv(const char *name)'),
  };
}
