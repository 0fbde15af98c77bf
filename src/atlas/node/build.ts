import { join } from 'node:path';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { atlasOf } from '../devices.ts';
import type { Entry } from '../entry.ts';
import { sitePages } from '../html/site.ts';
import { fingerprintOf } from './seal.ts';
import { entryText, fileNameOf, readAtlas } from './store.ts';

/** What was built. */
export interface Built {
  readonly pages: number;
  readonly entries: number;
}

/**
 * Writes the pages of all entries of a folder, and the entries beside them.
 * @throws ParanoiaError those of {@link readAtlas}: then nothing is written; `report-unwritable`
 */
export function buildAtlas(from: string, out: string, now: Date): Built {
  const entries = readAtlas(from, now).map(({ entry }) => entry);
  const pages = Object.entries(sitePages(atlasOf(entries), filed));
  const folder = join(out, 'entries');
  ensureWritable(out);
  ensureWritable(folder);
  for (const entry of entries) writeWhole(join(folder, fileNameOf(entry)), entryText(entry));
  for (const [file, text] of pages) writeWhole(join(out, file), text);
  return { pages: pages.length, entries: entries.length };
}

const filed = (entry: Entry) => ({
  file: fileNameOf(entry),
  signedBy: entry.signature === undefined ? undefined : fingerprintOf(entry.signature),
});
