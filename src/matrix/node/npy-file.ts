import { ParanoiaError } from '../../base/errors.ts';
import { requireFree } from '../../base/node/free-memory.ts';
import { fileReason, formatPath, type OpenFile, withFile } from '../../base/node/read-file.ts';
import { requireTarget, type WriteErrorFactory, writeWhole } from '../../base/node/write-file.ts';
import { startOf } from '../../base/stored-bytes.ts';
import type { Matrix } from '../dense.ts';
import { npyUnreadable, npyUnwritable } from '../messages.ts';
import { LONGEST_START, matrixOf, npyPieces, requireLength } from '../npy.ts';

/**
 * Reads a .npy file as a matrix, in f32 or f64 as stored. Its header and size are checked before the entries are read.
 * @throws ParanoiaError `npy-unreadable`, also if the path is not a regular file, and the errors of {@link parseNpy}.
 */
export async function readNpy(path: string): Promise<Matrix> {
  return opened(path, (file) => {
    const layout = requireLength(startOf(file, LONGEST_START), file.size, path);
    requireFree(layout.need, path);
    return matrixOf(layout, file.view(layout.end, layout.need, (bytes) => new ArrayBuffer(bytes)).buffer);
  });
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
  writeWhole(path, npyPieces(matrix), unwritable);
}

/**
 * Checks, before a long computation, that {@link writeNpy} could write to a path. Leaves no file behind.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function requireWritable(path: string): Promise<void> {
  requireTarget(path, unwritable);
}
