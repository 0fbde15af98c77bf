import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that a file takes in addition to its contents: many empty files fill a disk as well. */
const EACH = 4096;
const BLOCK = 512;

/**
 * Counts the bytes in folders until there are more than enough. Links are not followed, and a file with several hard links is counted once.
 * @throws Error of the file system where a folder may not be read, or lies deeper than paths reach
 */
export function countBytesIn(folders: readonly string[], enough: number): number {
  const counted = new Set<string>();
  let sum = 0;
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && sum <= enough; folder = left.pop()) {
    for (const name of unlessGone(() => readdirSync(folder as string)) ?? []) {
      const path = join(folder, name);
      const found = unlessGone(() => lstatSync(path));
      if (found === undefined || counted.has(`${found.dev}:${found.ino}`)) continue;
      counted.add(`${found.dev}:${found.ino}`);
      sum += EACH + BLOCK * found.blocks;
      if (found.isDirectory()) left.push(path);
    }
  }
  return sum;
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
