import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileReason } from '../../base/node/file-reason.ts';
import { ownScript } from '../../base/node/own-script.ts';
import { pageFolder } from '../messages.ts';

/** Where the build puts the page: beside the rooms. */
export const folder = fileURLToPath(new URL('.', ownScript('../../page/page', import.meta.url)));

/** Its files, none of which needs another host or a path of its own. */
export const files: readonly string[] = ['index.html', 'page.js', 'worker.js', 'report.js', 'LICENSES.txt'];

/** Copies the page to a folder, for any server of files. @throws ParanoiaError `page-folder` */
export function copyPage(to: string): void {
  try {
    mkdirSync(to, { recursive: true });
    // What opens the others comes last: a folder that has it has all.
    for (const name of [...files].reverse()) copyFileSync(join(folder, name), join(to, name));
  } catch (error) {
    throw pageFolder({ path: to, why: fileReason(error) }, error);
  }
}
