import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAfterUs, runAtExit } from './watchdog.ts';

/** A temporary folder that its owner removes. */
export interface PrivateFolder {
  /** Its path, with links resolved. */
  readonly path: string;
  remove(): void;
}

/** The prefix of the folder's name, which untrusted programs see: `mktemp` uses the same. */
const NAME = 'tmp.';

/** Attempts to remove a folder while its last writers end, and the pause between them in milliseconds. */
const [TRIES, PAUSE] = [20, 10];

/**
 * Makes a folder that only this user may enter. It is removed with this process, however the process ends.
 * @throws Error of the file system
 */
export function privateFolder(): PrivateFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), NAME)));
  const forget = removeAfterUs(path);
  const release = runAtExit(() => patiently(() => removeTree(path)));
  return {
    path,
    remove() {
      // If removal fails now, the end of this process or the watchdog retries it.
      if (!patiently(() => removeTree(path))) return;
      release();
      forget();
    },
  };
}

/** Retries a removal. @returns true if it succeeded */
function patiently(remove: () => void): boolean {
  for (let left = TRIES; left > 0; left--) {
    try {
      remove();
      return true;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
  return false;
}

/** Joins names as bytes: not all names are valid text. */
const within = (folder: Buffer, name: Buffer) => Buffer.concat([folder, Buffer.from('/'), name]);

/**
 * Removes a folder whose contents resist removal: folders that may not be entered, that lie deeper than paths reach, or whose
 * names are not valid text. No link is followed. All writers must have ended.
 * @throws Error of the file system; none if the folder is already gone
 */
export function removeTree(path: string): void {
  const root = Buffer.from(path);
  try {
    // Folders move up before they are emptied, so that no path is longer than this one plus two names.
    for (let left = emptied(root, root); left.length > 0; ) {
      const folder = left.pop() as Buffer;
      left = left.concat(emptied(folder, root));
      rmdirSync(folder);
    }
    rmdirSync(root);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Removes the contents of a folder, and moves its subfolders to the root. @returns their new paths */
function emptied(folder: Buffer, root: Buffer): Buffer[] {
  chmodSync(folder, 0o700);
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const path = within(folder, entry.name);
    if (!entry.isDirectory()) {
      unlinkSync(path);
      return [];
    }
    if (folder === root) return [path];
    const moved = within(root, Buffer.from(randomUUID()));
    chmodSync(path, 0o700);
    renameSync(path, moved);
    return [moved];
  });
}
