import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reportUnwritable } from '../messages.ts';
import { fileReason } from './file-reason.ts';

/**
 * Finds out, before a long run, whether reports can be written into a folder, and makes it.
 * @throws ParanoiaError `report-unwritable`.
 */
export async function ensureWritable(folder: string): Promise<void> {
  const probe = join(folder, `${randomUUID()}.tmp`);
  try {
    await makeFolder(folder);
    // In one go: a signal between the two would leave the file behind.
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch (error) {
    throw reportUnwritable({ path: folder, why: fileReason(error) }, error);
  }
}

/** Makes a folder and those it lies in: by hand, because Node's own recursion never ends where a system's folder refuses. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(folder);
    if (code !== 'ENOENT') throw error;
    if (existsSync(parent)) throw new Error(`${parent} takes no new folders`, { cause: error });
    await makeFolder(parent);
    await mkdir(folder);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What made writing it fail is told.
  }
}

/** Writes a file whole or not at all. @throws ParanoiaError `report-unwritable`. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    // In one go: a signal between the two would leave the temporary file behind.
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw reportUnwritable({ path, why: fileReason(error) }, error);
  }
}
