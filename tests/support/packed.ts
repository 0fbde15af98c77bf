import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of `gemm-paranoia.tgz`, and of `node_modules` with the unpacked package. */
    packed: string;
  }
}

const root = join(import.meta.dirname, '../..');
const TARBALL = 'gemm-paranoia.tgz';

/** A project in a temporary folder. */
export interface Project {
  readonly folder: string;
  remove(): void;
}

/**
 * Packs the build once for all checks. Unpacks it beside links to the installed packages, so that no registry is contacted. A
 * global setup of Vitest.
 */
export default function packOnce({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  const said = npm(root, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  const name = said.trim().split('\n').at(-1) as string;
  cpSync(join(folder, name), join(folder, TARBALL));
  rmSync(join(folder, name));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!entry.startsWith('.'))
      symlinkSync(join(root, 'node_modules', entry), join(modules, entry), 'junction');
  }
  execFileSync('tar', ['-xzf', join(folder, TARBALL), '-C', modules], { stdio: 'pipe' });
  cpSync(join(modules, 'package'), join(modules, 'gemm-paranoia'), { recursive: true });
  rmSync(join(modules, 'package'), { recursive: true });
  provide('packed', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The tarball that `npm pack` makes of the build. */
export const tarball = (): string => join(inject('packed'), TARBALL);

/**
 * Copies a project to a temporary folder with the packed package installed.
 * @param name a folder of `tests`
 * @param vitest a version of Vitest from the registry, such as 3.2. @defaultValue the installed one
 */
export function installPacked(name: string, vitest?: string): Project {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  cpSync(join(root, 'tests', name), folder, { recursive: true });
  cpSync(tarball(), join(folder, TARBALL));
  if (vitest === undefined) symlinkSync(join(inject('packed'), 'node_modules'), join(folder, 'node_modules'));
  else {
    npm(folder, 'pkg', 'set', `devDependencies.vitest=${vitest}`);
    npm(folder, 'install', '--no-audit', '--no-fund');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });

/** Runs a script with this Node. @returns its output @throws its output if the exit code is not 0 */
export function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
