import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A project of its own in a temporary folder. */
export interface Project {
  readonly folder: string;
  remove(): void;
}

/**
 * Copies a project to a temporary folder and installs there what `npm pack` makes of this package: compiled afresh, and
 * unpacked beside links to the packages that are installed here, so that no registry is asked.
 * @param name a folder beside this file.
 */
export function installPacked(name: string): Project {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  const modules = join(folder, 'node_modules');
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
  mkdirSync(modules);
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!entry.startsWith('.'))
      symlinkSync(join(root, 'node_modules', entry), join(modules, entry), 'junction');
  }
  execFileSync('tar', ['-xzf', packed(folder), '-C', modules], { stdio: 'pipe' });
  renameSync(join(modules, 'package'), join(modules, 'gemm-paranoia'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The tarball of the sources as they are. */
function packed(folder: string): string {
  const source = join(folder, 'source');
  mkdirSync(source);
  for (const entry of ['package.json', 'README.md', 'LICENSE', 'schemas']) {
    cpSync(join(root, entry), join(source, entry), { recursive: true });
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--outDir', join(source, 'dist'), '--incremental', 'false'];
  // The build's own file of what is unchanged would make it skip files.
  run(root, [compiler, ...options, '--tsBuildInfoFile', 'null']);
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const file = execFileSync('npm', npm, {
    cwd: source,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  rmSync(source, { recursive: true });
  return join(folder, file.trim().split('\n').at(-1) ?? '');
}

/** Runs a script with this Node. @throws what it prints, where it ends with another code than 0. */
export function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
