import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SoftwareDriver } from './swiftshader.ts';

const DRIVER_VARIABLES = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'] as const;

/** Whether the Vulkan loader would find a driver of the system's: without one Dawn warns on stderr. */
export function hasVulkanDriver(): boolean {
  const named = [...DRIVER_VARIABLES, 'VK_ADD_DRIVER_FILES'].some((name) => process.env[name]);
  return named || driverFolders().some((folder) => filesOf(folder).some((file) => file.endsWith('.json')));
}

function driverFolders(): string[] {
  const { XDG_CONFIG_HOME, XDG_CONFIG_DIRS, XDG_DATA_HOME, XDG_DATA_DIRS } = process.env;
  const home = homedir();
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

/** Loaded libraries, for the life of the process. */
const loaded: unknown[] = [];

/** Makes sure that `libvulkan.so.1` is loaded: the system's, else the given one. */
export function loadVulkan(fallback: string | undefined): boolean {
  if (loaded.length > 0) return true;
  // Lazily: only Linux needs it, and a native addon may be missing elsewhere.
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  for (const path of ['libvulkan.so.1', fallback]) {
    try {
      if (path !== undefined) loaded.push(koffi.load(path));
    } catch {
      continue;
    }
    if (loaded.length > 0) return true;
  }
  return false;
}

/**
 * Runs `use` while the Vulkan loader sees only the given driver. The loader reads the environment when Dawn
 * enumerates adapters, which `requestAdapter` does before it returns its promise.
 */
export function withDriver<T>(driver: SoftwareDriver, use: () => T): T {
  const before = DRIVER_VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of DRIVER_VARIABLES) process.env[name] = driver.icd;
  try {
    return use();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
