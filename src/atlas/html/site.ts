import type { Atlas } from '../devices.ts';
import { deviceView } from './device.ts';
import { kernelView } from './kernel.ts';
import { devicePage, kernelPage } from './links.ts';
import { overviewPage } from './overview.ts';
import type { EntryFileName } from './runs.ts';

/** Renders the pages of the atlas, by file name, to be served by any host or opened from a folder. */
export function sitePages(atlas: Atlas, fileOf: EntryFileName): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['index.html', overviewPage(atlas, fileOf)],
    ...atlas.devices.map((device) => [devicePage(device.slug), deviceView(device, fileOf)]),
    ...atlas.kernels.map((kernel) => [kernelPage(kernel.slug), kernelView(kernel)]),
  ]);
}
