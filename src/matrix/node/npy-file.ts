import { ParanoiaError } from '../../base/errors.ts';
import { fileReason, type OpenFile, withFile } from '../../base/node/read-file.ts';
import { requireTarget, type WriteErrorFactory, writeWhole } from '../../base/node/write-file.ts';
import type { Matrix } from '../dense.ts';
import { npyUnreadable, npyUnwritable } from '../messages.ts';
import { dumpNpy, LONGEST_START, parseNpy, requireLength } from '../npy.ts';
import { formatPath } from './shown-path.ts';

/**
 * Reads a .npy file as a matrix, in f32 or f64 as stored. Its header and size are checked before the entries are read.
 * @throws ParanoiaError `npy-unreadable`, also if the path is not a regular file, and the errors of {@link parseNpy}.
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
    const why = isMissing ? 'it does not exist' : fileReason(error);
    throw npyUnreadable({ file: formatPath(path), why }, error);
  }
}

const unwritable: WriteErrorFactory = (file, why, cause) => npyUnwritable({ file, why }, cause);

/**
 * Writes a matrix as a .npy file in its own precision. The file appears whole or not at all. A symbolic link stays a link; devices such as
 * /dev/null are written to directly.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function writeNpy(path: string, matrix: Matrix): Promise<void> {
  writeWhole(path, dumpNpy(matrix), unwritable);
}

/**
 * Checks, before a long computation, that {@link writeNpy} could write to a path. Leaves no file behind.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function requireWritable(path: string): Promise<void> {
  requireTarget(path, unwritable);
}
