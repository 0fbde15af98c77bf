import type { Cell } from '../cells.ts';
import type { Changes } from '../changes.ts';
import { deviceKey, slugOf } from '../place.ts';

/** The page of a device. */
export const devicePage = (slug: string): string => `device-${slug}.html`;

/** The page of a kernel. */
export const kernelPage = (slug: string): string => `kernel-${slug}.html`;

/** The permanent link of a cell, from any page of the site: it follows from what the cell is of. */
export const cellLink = ({ place, slug }: Pick<Cell, 'place' | 'slug'>): string =>
  `${devicePage(slugOf(deviceKey(place.device)))}#${slug}`;

/** The fragment of what changed between two drivers or implementations: it follows from what these are. */
export const changeSlug = ({ before, after }: Pick<Changes, 'before' | 'after'>): string =>
  slugOf('from', before.implementation, before.driver, 'to', after.implementation, after.driver);

/** The link of what changed, from any page of the site. */
export const changeLink = (device: string, changes: Pick<Changes, 'before' | 'after'>): string =>
  `${devicePage(device)}#${changeSlug(changes)}`;

/** Where an entry lies beside the pages. */
export const entryLink = (file: string): string => `entries/${encodeURIComponent(file)}`;
