import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of the repository. */
export const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Expands the known expressions in a workflow's text. */
export const expanded = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => known[name] ?? '');

/** Runs a step's script as CI runners do. */
export function bash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const clean = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  return new Promise<{ code: number; text: string }>((resolve) => {
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script];
    const child = execFile('bash', args, { cwd, env: { ...clean, ...env } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, text: `${stdout}${stderr}` }),
    );
  });
}

/**
 * Writes a stand-in for a program: it records its calls in `calls`, and prints an answer.
 * @returns the environment that finds it
 */
export function standIn(folder: string, name: string, answer = ''): { readonly PATH: string } {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$@" >> '${folder}/calls'\n${answer}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}
