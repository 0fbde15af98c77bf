import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './cleanup.ts';

/** A folder that goes with its owner. */
export interface PrivateFolder {
  /** Without links in it. */
  readonly path: string;
  remove(): void;
}

/** Makes a folder that nobody else may enter. It is removed with this process, however that ends. */
export function privateFolder(): PrivateFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'gemm-paranoia-')));
  const clear = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const release = atExit(clear);
  return {
    path,
    remove() {
      clear();
      release();
    },
  };
}
