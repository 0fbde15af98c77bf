import { expect, it, vi } from 'vitest';
import { EXIT } from '../base/errors.ts';
import { gone, refuseRemovedWords, runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

/** Runs the command line. @returns its standard error and exit code */
async function told(...words: string[]): Promise<{ code: number; stderr: string }> {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = await runCommandLine(['node', 'gemm-paranoia', ...words]);
    return { code, stderr: spy.mock.calls.map(([text]) => text).join('') };
  } finally {
    spy.mockRestore();
  }
}

it.each(Object.entries(gone))('%s says in one sentence that it %s', async (word, became) => {
  for (const call of [word.split(' '), [...word.split(' '), 'more', '--verbose']])
    expect(await told(...call)).toEqual({ code: EXIT.usage, stderr: `\`${word}\` ${became}.\n` });
});

it('none is a command of today', () => {
  expect(Object.keys(gone).filter((word) => Object.hasOwn(commands, word))).toEqual([]);
});

it.each(['bench', 'bench kernels', 'gate reproduce', 'study bench', 'bench -- study'])(
  '%s is not taken for one',
  (call) => {
    expect(() => refuseRemovedWords(call.split(' '))).not.toThrow();
  },
);
