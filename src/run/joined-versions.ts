import type { Versions } from './open-machine.ts';

/** Joins the versions of kernels from several runs or processes. Later ones replace earlier ones. */
export const joinVersions = (all: readonly Versions[]): Versions =>
  Object.fromEntries(all.flatMap((versions) => Object.entries(versions)));
