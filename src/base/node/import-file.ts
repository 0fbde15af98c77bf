import { statSync } from 'node:fs';
import { oneLine } from '../printable.ts';
import { fileReason } from './file-reason.ts';

/** Makes the error to throw of why a file cannot be read, as a clause. */
export type Unreadable = (why: string, cause?: unknown) => Error;

/**
 * What a file of JavaScript or TypeScript exports, read anew: it may change between runs, and its folder may be read-only.
 * @param path absolute.
 * @throws what `unreadable` makes of a file that is missing or throws
 */
export async function importFile(path: string, unreadable: Unreadable): Promise<unknown> {
  requireFile(path, unreadable);
  // It takes as long to load as all that a small command needs.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(path, { fsCache: false, moduleCache: false, interopDefault: false });
  try {
    return await jiti.import(path);
  } catch (error) {
    throw unreadable(whyNot(error), error);
  }
}

/** @throws what `unreadable` makes of a path where there is no file */
export function requireFile(path: string, unreadable: Unreadable): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    throw unreadable(fileReason(error), error);
  }
  throw unreadable('it is not a file');
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
