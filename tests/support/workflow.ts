import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the repository. */
export const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A text of a workflow with what stands in its braces, as far as that is known. */
export const expanded = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => known[name] ?? '');

/** Runs a step's script as runners call it. */
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
 * A program that takes another's place: it keeps what it is called with in `calls`, and answers as told.
 * @returns the environment that finds it.
 */
export function standIn(folder: string, name: string, answer = ''): { readonly PATH: string } {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$@" >> '${folder}/calls'\n${answer}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}
