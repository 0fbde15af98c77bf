import { group } from 'd3-array';
import { type AtlasCell, cellsOf } from './cells.ts';
import type { AtlasEntry } from './entry.ts';
import { deviceKey, findPlatform, slugOf } from './place.ts';

/** A driver and an implementation on one device. */
export interface DevicePlatform {
  readonly driver: string;
  readonly implementation: string;
  readonly cells: readonly AtlasCell[];
  /** The entry of the latest run that measured the device's arithmetic, if there is one. */
  readonly measured: AtlasEntry | undefined;
  /** The time of the latest run. */
  readonly latest: string;
}

/** A device, with all that was run on it. */
export interface AtlasDevice {
  readonly name: string;
  readonly slug: string;
  /** Its environments: by implementation, then by date, the oldest first. */
  readonly environments: readonly DevicePlatform[];
  readonly cells: readonly AtlasCell[];
}

export interface KernelView {
  readonly name: string;
  readonly slug: string;
  readonly cells: readonly AtlasCell[];
}

/** All entries, arranged for pages. */
export interface Atlas {
  readonly entries: readonly AtlasEntry[];
  readonly cells: readonly AtlasCell[];
  readonly devices: readonly AtlasDevice[];
  readonly kernels: readonly KernelView[];
}

/** Builds the atlas of some entries; their order does not matter. */
export function atlasOf(given: readonly AtlasEntry[]): Atlas {
  const entries = [...given].sort((x, y) => (orderOf(x) < orderOf(y) ? 1 : -1));
  const cells = cellsOf(entries);
  const devices = [...group(cells, ({ place }) => deviceKey(place.device)).entries()].map(([key, own]) => ({
    name: own[0].place.device,
    slug: slugOf(key),
    environments: environmentsOf(own),
    cells: own,
  }));
  const kernels = [...group(cells, ({ kernel }) => kernel).entries()]
    .map(([name, own]) => ({ name, slug: slugOf(name), cells: own }))
    .sort((x, y) => (x.name < y.name ? -1 : 1));
  return { entries, cells, devices, kernels };
}

const orderOf = ({ run, hash }: AtlasEntry): string => `${run.createdAt} ${hash}`;

function environmentsOf(cells: readonly AtlasCell[]): DevicePlatform[] {
  const all = [...group(cells, ({ place }) => JSON.stringify([place.implementation, place.driver])).values()];
  return all.map(environmentOf).sort((x, y) => {
    const [a, b] = [x, y].map(({ implementation, latest }) => `${implementation}\0${latest}`);
    return a < b ? -1 : 1;
  });
}

function environmentOf(cells: readonly AtlasCell[]): DevicePlatform {
  const [{ place }] = cells;
  const entries = cells.flatMap(({ runs }) => runs.map(({ entry }) => entry));
  const dates = entries.map(({ run }) => run.createdAt).sort();
  // A program may use a device of its own; its run then measured another device's arithmetic.
  const own = entries
    .filter((entry) => deviceKey(findPlatform(entry).device) === deviceKey(place.device))
    .sort((x, y) => (x.run.createdAt < y.run.createdAt ? 1 : -1));
  return {
    ...{ driver: place.driver, implementation: place.implementation, cells },
    measured: own.find(({ probe }) => probe !== undefined) ?? own[0],
    latest: dates[dates.length - 1],
  };
}
