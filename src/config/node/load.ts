import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import type { UserKernel } from '../../kernel/user-kernel.ts';
import { problem } from '../../problems.ts';
import { fileReason } from '../../report/node/file-reason.ts';
import { oneLine } from '../../report/printable.ts';
import type { Config } from '../config.ts';
import { type KnownNames, ownKernels, parseConfig } from '../schema.ts';

/** The names a config may have, the first found in a folder is taken. */
export const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs'].map((end) => `paranoia.config.${end}`);

/** A config and the file it is from; an empty config where there is no file. */
export interface LoadedConfig {
  readonly config: Config;
  readonly path?: string;
}

/**
 * Loads the config: the file at `path`, else the nearest `paranoia.config.*` in the folder or above it.
 * @throws Problem `config-unreadable` for a file that is missing, throws, or has no default export; `bad-config`.
 */
export async function loadConfig(
  known: KnownNames,
  { path: given, cwd = process.cwd() }: { path?: string | undefined; cwd?: string } = {},
): Promise<LoadedConfig> {
  const path = given === undefined ? findConfig(cwd) : resolve(cwd, given);
  if (path === undefined) return { config: {} };
  return { config: parseConfig(await load(path), known, path), path };
}

/**
 * The kernels that a config brings.
 * @throws Problem `config-unreadable`, `bad-kernel`
 */
export async function loadOwnKernels(path: string): Promise<UserKernel[]> {
  const config = await load(path);
  const kernels = typeof config === 'object' && config !== null && 'kernels' in config ? config.kernels : [];
  return ownKernels({ kernels: Array.isArray(kernels) ? kernels : [] });
}

/** The nearest config in a folder or above it. */
export function findConfig(folder: string): string | undefined {
  const here = resolve(folder);
  const found = CONFIG_NAMES.map((name) => join(here, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const above = dirname(here);
  return above === here ? undefined : findConfig(above);
}

async function load(path: string): Promise<unknown> {
  requireFile(path);
  const module = await evaluate(path);
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default;
  const why = 'it has no default export; end it with "export default defineConfig({ … })"';
  throw problem('config-unreadable', { path, why });
}

function requireFile(path: string): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw problem('config-unreadable', { path, why: fileReason(error) }, error);
  }
  throw problem('config-unreadable', { path, why: 'it is not a file' });
}

async function evaluate(path: string): Promise<unknown> {
  // A config may change between runs and its folder may be read-only: nothing of it is kept.
  const jiti = createJiti(path, { fsCache: false, moduleCache: false, interopDefault: false });
  try {
    return await jiti.import(path);
  } catch (error) {
    throw problem('config-unreadable', { path, why: whyNot(error) }, error);
  }
}

/** The first line of what was thrown, and the place of a syntax error; the rest stays in the cause. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return `it throws ${oneLine(String(error), LONGEST)}`;
  const [line, next = ''] = error.message.split('\n');
  const place = SYNTAX_PLACE.exec(next)?.groups;
  const where = place === undefined ? '' : `, line ${place.line}`;
  return `${oneLine(line, LONGEST).replace(/\.$/, '')}${where}`;
}

const LONGEST = 200;
const SYNTAX_PLACE = /:(?<line>\d+):\d+$/;
