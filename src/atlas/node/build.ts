import { join } from 'node:path';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { type Atlas, atlasOf } from '../devices.ts';
import { deviceView } from '../html/device.ts';
import { kernelView } from '../html/kernel.ts';
import type { EntryFileName } from '../html/lists.ts';
import { overviewPage } from '../html/overview.ts';
import { devicePage, kernelPage } from '../html/words.ts';
import { entryText, fileNameOf, readAtlas } from './store.ts';

/** Counts of what was built. */
interface BuildCounts {
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

/** Renders the pages of the atlas, by file name, to be served by any host or opened from a folder. */
export function sitePages(atlas: Atlas, fileOf: EntryFileName): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['index.html', overviewPage(atlas, fileOf)],
    ...atlas.devices.map((device) => [devicePage(device.slug), deviceView(device, fileOf)]),
    ...atlas.kernels.map((kernel) => [kernelPage(kernel.slug), kernelView(kernel)]),
  ]);
}
