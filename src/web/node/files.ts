import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileReason } from '../../base/node/file-reason.ts';
import { ownScript } from '../../base/node/own-script.ts';
import { pageFolder } from '../messages.ts';

/** The folder of the built page, beside the rooms. */
export const folder = fileURLToPath(new URL('.', ownScript('../../page/page', import.meta.url)));

/** The files of the page. They load nothing from other hosts, and work under any path. */
export const files: readonly string[] = ['index.html', 'page.js', 'worker.js', 'report.js', 'LICENSES.txt'];

/** Copies the page to a folder, for any file server. @throws ParanoiaError `page-folder` */
export function copyPage(to: string): void {
  try {
    mkdirSync(to, { recursive: true });
    // The file that loads the others is copied last: a folder that has it is complete.
    for (const name of [...files].reverse()) copyFileSync(join(folder, name), join(to, name));
  } catch (error) {
    throw pageFolder({ path: to, why: fileReason(error) }, error);
  }
}
