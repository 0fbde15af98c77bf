import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ParanoiaError } from '../../base/errors.ts';
import type { Matrix } from '../dense.ts';
import { npyUnreadable, npyUnwritable } from '../messages.ts';
import { dumpNpy, parseNpy } from '../npy.ts';
import { shownPath } from './shown-path.ts';

/**
 * Reads a .npy file as a matrix, f32 or f64 as stored.
 * @throws ParanoiaError `npy-unreadable`, and those of {@link parseNpy}.
 */
export async function readNpy(path: string): Promise<Matrix> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const why = reason(error, 'there is no such file');
    throw npyUnreadable({ file: shownPath(path), why }, error);
  }
  return parseNpy(bytes, path);
}

/**
 * Writes a matrix as a .npy file in its own precision. The file appears whole or not at all: it is written
 * beside its place under another name, then renamed over it.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function writeNpy(path: string, matrix: Matrix): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, dumpNpy(matrix), { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw unwritable(path, error);
  }
}

/**
 * Finds out, before a long computation, whether {@link writeNpy} could write there; leaves nothing behind.
 * @throws ParanoiaError `npy-unwritable`.
 */
export async function requireWritable(path: string): Promise<void> {
  const probe = temporaryName(path);
  try {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    await writeFile(probe, '', { flag: 'wx' });
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

function unwritable(path: string, error: unknown): ParanoiaError {
  const missing = existsSync(dirname(path)) ? 'its folder takes no new files' : 'its folder does not exist';
  return npyUnwritable({ file: path, why: reason(error, missing) }, error);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};

/** Why a file operation failed, in words; `missing` where a name on the path is not there. */
function reason(error: unknown, missing: string): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (code === 'ENOENT') return missing;
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
