import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { FileOrigin } from '../file-origin.ts';

/** Creates files of a test, in a folder that exists while the test runs. */
export function inFolder(): (file: string, text: string, more?: Partial<FileOrigin>) => FileOrigin {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (file, text, more = {}) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return { name: file, file, path, ways: {}, ...more };
  };
}
