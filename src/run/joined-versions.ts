import type { Versions } from './open-machine.ts';

/** The versions that several runs or processes said of kernels; of one that two name, the later ones. */
export const joinedVersions = (all: readonly Versions[]): Versions =>
  Object.fromEntries(all.flatMap((versions) => Object.entries(versions)));
