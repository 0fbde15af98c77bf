import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './cleanup.ts';
import { removeTree } from './remove-tree.ts';
import { removeAfterUs } from './watchdog.ts';

/** A folder that goes with its owner. */
export interface PrivateFolder {
  /** Without links in it. */
  readonly path: string;
  remove(): void;
}

/** Programs that are not trusted see the name: that of every folder that `mktemp` makes. */
const NAME = 'tmp.';

/** How often, and how many milliseconds apart, a folder is removed whose last writers are still ending. */
const [TRIES, PAUSE] = [20, 10];

/**
 * Makes a folder that nobody else may enter. It is removed with this process, however that ends.
 * @throws Error of the file system
 */
export function privateFolder(): PrivateFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), NAME)));
  const forget = removeAfterUs(path);
  const release = atExit(() => patiently(() => removeTree(path)));
  return {
    path,
    remove() {
      // What cannot be removed is left to the end of this process, and to who outlives it.
      if (!patiently(() => removeTree(path))) return;
      release();
      forget();
    },
  };
}

/** @returns whether it could be done */
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
