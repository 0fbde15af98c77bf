import type { RuntimeName } from '../names.ts';
import { chromium } from './chromium.ts';
import { deno } from './deno.ts';
import { firefox } from './firefox.ts';
import type { Runtime } from './runtime.ts';

/** Runtimes, other than this one, that a gate can judge in. */
export const runtimes: readonly Runtime[] = [chromium, firefox, deno];

/** Returns the runtime of a name; undefined for Node, which also judges without `--in`. */
export const findRuntimeByName = (name: RuntimeName | undefined): Runtime | undefined =>
  runtimes.find((one) => one.name === name);
