import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { writeWhole } from '../../base/node/write-file.ts';

const SUMS = 'sha256.json';

/**
 * Returns a folder of the user's cache that holds `files()`. It is made on first use, and made again if its contents have changed. If the
 * cache is not writable, the folder is in the temporary directory.
 * @param name - the folder's name; contents of another version need another name.
 * @throws the file system's error if neither place is writable.
 */
export function cachedFolder(name: string, files: () => ReadonlyMap<string, Buffer>): string {
  const [first, second] = cacheRoots();
  try {
    return filledFolder(first, name, files);
  } catch {
    return filledFolder(second, name, files);
  }
}

/** Reads a text file of the user's cache. @returns undefined if it does not exist. @throws the file system's other errors. */
export function readCached(name: string): string | undefined {
  const [root] = cacheRoots();
  try {
    refuseForeign(root);
    return readFileSync(join(root, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file of the user's cache atomically. @returns its path. @throws the file system's error. */
export function writeCached(name: string, text: string): string {
  const [root] = cacheRoots();
  mkdirSync(root, { recursive: true, mode: 0o700 });
  refuseForeign(root);
  const path = join(root, name);
  writeWhole(path, text, (_path, _why, cause) => cause as Error);
  return path;
}

/** Checks that the user's cache is writable. @throws the file system's error. */
export function requireWritableCache(): void {
  rmSync(writeCached(`${randomUUID()}.tmp`, ''));
}

function cacheRoots(): [string, string] {
  const xdg = process.env.XDG_CACHE_HOME;
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeFolder(), '.cache');
  return [join(base, 'gemm-paranoia'), join(tmpdir(), `gemm-paranoia-${process.getuid?.() ?? 'user'}`)];
}

/** Returns the user's home, or the temporary directory if the user has none. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return tmpdir();
  }
}

function filledFolder(root: string, name: string, files: () => ReadonlyMap<string, Buffer>): string {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  refuseForeign(root);
  const folder = join(root, name);
  if (isIntact(folder)) return folder;
  const contents = files();
  const fresh = `${folder}.${randomUUID()}`;
  try {
    write(fresh, contents);
    moveIntoPlace(fresh, folder);
  } finally {
    removeQuietly(fresh);
  }
  return folder;
}

function write(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(folder);
  for (const [file, contents] of files) writeFileSync(join(folder, file), contents, { mode: 0o755 });
  const sums = [...files].map(([file, contents]) => [file, sha256Sync(contents)]);
  writeFileSync(join(folder, SUMS), JSON.stringify(Object.fromEntries(sums)));
}

// Shared libraries are loaded from this folder, and every user may write to the temporary directory.
function refuseForeign(root: string): void {
  const owner = lstatSync(root);
  if (!owner.isDirectory() || (process.getuid !== undefined && owner.uid !== process.getuid())) {
    throw new Error(`${root} belongs to another user.`);
  }
}

function isIntact(folder: string): boolean {
  try {
    const sums: Record<string, string> = JSON.parse(readFileSync(join(folder, SUMS), 'utf8'));
    return Object.entries(sums).every(([file, sum]) => sha256Sync(readFileSync(join(folder, file))) === sum);
  } catch {
    return false;
  }
}

// Another process may do the same at this moment. The second one finds an intact folder and keeps it.
function moveIntoPlace(fresh: string, folder: string): void {
  const aside = `${fresh}.old`;
  try {
    if (!isIntact(folder)) renameIfThere(folder, aside);
    renameSync(fresh, folder);
  } catch (error) {
    if (!isIntact(folder)) throw error;
  } finally {
    removeQuietly(aside);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The folder in its place is intact; the error that prevented the move is thrown.
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
