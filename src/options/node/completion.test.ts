import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Commands, command } from '../command.ts';
import { choice, flag, text } from '../kinds.ts';
import { completionOf } from './completion.ts';

const run = async () => 0;
const commands: Commands = {
  gate: command({
    what: "Judge a kernel: don't trust it",
    options: { on: choice(['cpu', 'gpu'], '--on <where>', 'Where: cpu'), update: flag('-u, --update', '') },
    run,
  }),
  'farm work': command({ what: 'Work', options: { store: text('--store <place>', '') }, run }),
  'farm watch': command({ what: 'Watch', options: {}, run }),
};

const shells = (['bash', 'zsh', 'fish'] as const).filter(
  (shell) => spawnSync(shell, ['-c', 'true']).status === 0,
);

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = (shell: string): string => {
  const path = join(folder, shell);
  writeFileSync(path, completionOf(shell, 'my-program', commands));
  return path;
};

it.each(shells)('%s reads its script', (shell) => {
  const read = spawnSync(shell, ['-n', script(shell)], { encoding: 'utf8' });
  expect(read).toMatchObject({ status: 0, stderr: '' });
});

it('other shells are refused', () => {
  expect(() => completionOf('tcsh', 'my-program', commands)).toThrow(
    'Unknown value of <shell> "tcsh". Known: bash, zsh, fish.',
  );
});

describe.runIf(shells.includes('bash'))('bash completes', () => {
  /** The words that bash offers for the last of these. */
  const offered = (...words: string[]): string[] => {
    const complete =
      'shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _my_program; printf "%s " "$' + '{COMPREPLY[@]}"';
    const { stdout } = spawnSync(
      'bash',
      ['-c', `source "$1"; ${complete}`, '-', script('bash'), 'my-program', ...words],
      { encoding: 'utf8' },
    );
    return stdout.trim().split(' ');
  };

  it.each([
    [['g'], ['gate']],
    [
      ['farm', ''],
      ['work', 'watch'],
    ],
    [['farm', 'wo'], ['work']],
    [['farm', 'work', '--s'], ['--store']],
    [['farm', 'watch', '--s'], ['']],
    [
      ['gate', '--'],
      ['--on', '--update', '--verbose'],
    ],
    [
      ['gate', '-u', '--on', ''],
      ['cpu', 'gpu'],
    ],
    [['gate', '--on', 'g'], ['gpu']],
  ])('%j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});
