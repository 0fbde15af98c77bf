import { join } from 'node:path';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { atlasOf } from '../devices.ts';
import { sitePages } from '../html/site.ts';
import { entryText, fileNameOf, readAtlas } from './store.ts';

/** Counts of what was built. */
export interface BuildCounts {
  readonly pages: number;
  readonly entries: number;
}

/**
 * Writes the pages of all entries of a folder, and the entries beside them.
 * @throws ParanoiaError those of {@link readAtlas}, before anything is written; `report-unwritable`
 */
export function buildAtlas(from: string, out: string): BuildCounts {
  const entries = readAtlas(from).map(({ entry }) => entry);
  const pages = Object.entries(sitePages(atlasOf(entries), fileNameOf));
  const folder = join(out, 'entries');
  ensureWritable(out);
  ensureWritable(folder);
  for (const entry of entries) writeWhole(join(folder, fileNameOf(entry)), entryText(entry));
  for (const [file, text] of pages) writeWhole(join(out, file), text);
  return { pages: pages.length, entries: entries.length };
}
