import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtExit } from './cleanup.ts';
import { removeTree } from './remove-tree.ts';
import { removeAfterUs } from './watchdog.ts';

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
