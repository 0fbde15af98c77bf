import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What a file takes beside its contents: many empty ones fill a disk as well. */
const EACH = 4096;
const BLOCK = 512;

/**
 * Bytes that lie in folders, links not followed, counted until there are more than enough. A file that lies in several places
 * is counted once.
 * @throws Error of the file system where a folder may not be read, or lies deeper than paths reach
 */
export function bytesIn(folders: readonly string[], enough: number): number {
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
