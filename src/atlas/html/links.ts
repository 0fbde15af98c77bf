import type { AtlasCell } from '../cells.ts';
import type { PlatformChanges } from '../changes.ts';
import { deviceKey, slugOf } from '../place.ts';

/** Returns the path of a device's page. */
export const devicePage = (slug: string): string => `device-${slug}.html`;

/** The path of a kernel's page. */
export const kernelPage = (slug: string): string => `kernel-${slug}.html`;

/** Returns the permanent link of a cell, from any page of the site; it follows from the cell's identity. */
export const cellLink = ({ place, slug }: Pick<AtlasCell, 'place' | 'slug'>): string =>
  `${devicePage(slugOf(deviceKey(place.device)))}#${slug}`;

/** The fragment of the changes between two drivers or implementations, which follows from their names. */
export const changeSlug = ({ before, after }: Pick<PlatformChanges, 'before' | 'after'>): string =>
  slugOf('from', before.implementation, before.driver, 'to', after.implementation, after.driver);

/** Returns the link to changes, from any page of the site. */
export const changeLink = (device: string, changes: Pick<PlatformChanges, 'before' | 'after'>): string =>
  `${devicePage(device)}#${changeSlug(changes)}`;

/** The path of an entry beside the pages. */
export const entryLink = (file: string): string => `entries/${encodeURIComponent(file)}`;
