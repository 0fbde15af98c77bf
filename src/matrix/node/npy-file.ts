import { ParanoiaError } from '../../base/errors.ts';
import { fileReason } from '../../base/node/file-reason.ts';
import { type OpenFile, withFile } from '../../base/node/read-file.ts';
import { requireTarget, type Unwritable, writeWhole } from '../../base/node/write-file.ts';
import type { Matrix } from '../dense.ts';
import { npyUnreadable, npyUnwritable } from '../messages.ts';
import { dumpNpy, LONGEST_START, parseNpy, requireLength } from '../npy.ts';
import { shownPath } from './shown-path.ts';

/**
 * Reads a .npy file as a matrix, f32 or f64 as stored: once its header has said that it is one, and of its size.
 * @throws ParanoiaError `npy-unreadable`, also for what is no regular file, and those of {@link parseNpy}.
 */
export async function readNpy(path: string): Promise<Matrix> {
  const bytes = opened(path, (file) => {
    requireLength(file.head(LONGEST_START), file.size, path);
    return file.whole();
  });
  return parseNpy(bytes, path);
}

function opened<T>(path: string, work: (file: OpenFile) => T): T {
  try {
    return withFile(path, work);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'there is no such file' : fileReason(error);
    throw npyUnreadable({ file: shownPath(path), why }, error);
  }
}

const unwritable: Unwritable = (file, why, cause) => npyUnwritable({ file, why }, cause);

/**
 * Writes a matrix as a .npy file in its own precision. The file appears whole or not at all; a link stays one, and devices such as
 * /dev/null take what comes.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function writeNpy(path: string, matrix: Matrix): Promise<void> {
  writeWhole(path, dumpNpy(matrix), unwritable);
}

/**
 * Finds out, before a long computation, whether {@link writeNpy} could write there; leaves nothing behind.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function requireWritable(path: string): Promise<void> {
  requireTarget(path, unwritable);
}
