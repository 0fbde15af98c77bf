import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';

/** Names are bytes: not all of them are texts. */
const within = (folder: Buffer, name: Buffer) => Buffer.concat([folder, Buffer.from('/'), name]);

/**
 * Removes a folder with all that is in it, as somebody left it who wants it to stay: folders that may not be entered, that lie
 * deeper than paths reach, or whose names are no texts. No link is followed. Nobody may be writing in it any more.
 * @throws Error of the file system; none where it has gone already.
 */
export function removeTree(path: string): void {
  const root = Buffer.from(path);
  try {
    // Folders move up before they are emptied, so that no path is longer than this one and two names.
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

/** Removes what is in a folder but for folders: these it moves to the root. @returns where they lie */
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
