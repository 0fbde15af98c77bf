import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A project of its own in a temporary folder. */
export interface Project {
  readonly folder: string;
  remove(): void;
}

/** The version of Vitest that projects get from the registry, such as 3.2; without it they get what is installed here. */
export const vitestVersion = process.env.VITEST_VERSION;

/**
 * Copies a project to a temporary folder and installs there what `npm pack` makes of this package, compiled afresh.
 * @param name a folder beside this file.
 */
export function installPacked(name: string): Project {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
  renameSync(packed(folder), join(folder, 'gemm-paranoia.tgz'));
  if (vitestVersion === undefined) link(folder);
  else {
    npm(folder, 'pkg', 'set', `devDependencies.vitest=${vitestVersion}`);
    npm(folder, 'install', '--no-audit', '--no-fund');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Unpacks this package beside links to those that are installed here, so that no registry is asked. */
function link(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!entry.startsWith('.'))
      symlinkSync(join(root, 'node_modules', entry), join(modules, entry), 'junction');
  }
  execFileSync('tar', ['-xzf', join(folder, 'gemm-paranoia.tgz'), '-C', modules], { stdio: 'pipe' });
  renameSync(join(modules, 'package'), join(modules, 'gemm-paranoia'));
}

/** The tarball of the sources as they are. */
function packed(folder: string): string {
  const source = join(folder, 'source');
  mkdirSync(source);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const others = files.filter((entry) => entry !== 'dist' && !entry.startsWith('!'));
  for (const entry of ['package.json', 'README.md', 'LICENSE', ...others])
    cpSync(join(root, entry), join(source, entry), { recursive: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const project = ['-p', 'config/tsconfig.build.json', '--outDir', join(source, 'dist')];
  // The build's own file of what is unchanged would make it skip files.
  run(root, [compiler, ...project, '--incremental', 'false', '--tsBuildInfoFile', 'null']);
  run(root, [join(root, 'node_modules/jiti/lib/jiti-cli.mjs'), 'config/bundle.ts', join(source, 'dist')]);
  const file = npm(source, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  rmSync(source, { recursive: true });
  return join(folder, file.trim().split('\n').at(-1) ?? '');
}

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });

/** Runs a script with this Node. @throws what it prints, where it ends with another code than 0. */
export function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
