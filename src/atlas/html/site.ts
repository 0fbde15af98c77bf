import type { Atlas } from '../devices.ts';
import { deviceView } from './device.ts';
import { kernelView } from './kernel.ts';
import { devicePage, kernelPage } from './links.ts';
import { overviewPage } from './overview.ts';
import type { FileOf } from './runs.ts';

/** The pages of the atlas, by the names of their files: any host serves them, and so does a folder. */
export function sitePages(atlas: Atlas, fileOf: FileOf): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['index.html', overviewPage(atlas, fileOf)],
    ...atlas.devices.map((device) => [devicePage(device.slug), deviceView(device, fileOf)]),
    ...atlas.kernels.map((kernel) => [kernelPage(kernel.slug), kernelView(kernel)]),
  ]);
}
