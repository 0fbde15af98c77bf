import { statSync } from 'node:fs';
import { problem } from '../problems.ts';
import { fileReason } from '../report/node/file-reason.ts';

/** Folders that runs leave something in for later ones: where the user names no other, and what makes them. */
const table = {
  baselines: { usual: 'fixtures/baselines', maker: 'gate --update' },
  corpus: { usual: 'fixtures/corpus', maker: 'fuzz' },
} as const;

/**
 * A folder that a run reads: the one that the user names, which has to be there, or the default, which need not.
 * @param isMade whether the run makes it where it is missing.
 * @throws Problem `folder-unusable`
 */
export function storedFolder(option: keyof typeof table, named: string | undefined, isMade = false): string {
  if (named !== undefined && !isMade) requireFolder(option, named);
  return named ?? table[option].usual;
}

function requireFolder(option: keyof typeof table, path: string): void {
  const { maker } = table[option];
  const refuse = (why: string, cause?: unknown) =>
    problem('folder-unusable', { option, path, why, maker }, cause);
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw refuse(fileReason(error), error);
  }
  if (!isFolder) throw refuse('it is a file');
}
