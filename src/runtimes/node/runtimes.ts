import { parseChoice } from '../../config/flags.ts';
import { chromium } from './chromium.ts';
import { deno } from './deno.ts';
import { firefox } from './firefox.ts';
import type { Runtime } from './runtime.ts';

/** The runtimes that a gate can judge in beside this one. */
export const runtimes: readonly Runtime[] = [chromium, firefox, deno];

/** This one, which judges without `--in` too. */
const HERE = 'node';

/**
 * The runtime that `--in` names; undefined where that is this one.
 * @throws ParanoiaError `unknown-name`, `missing-option`
 */
export function runtimeNamed(given: unknown): Runtime | undefined {
  if (given === undefined) return undefined;
  const name = parseChoice('--in', given, [...runtimes.map((one) => one.name), HERE]);
  return runtimes.find((one) => one.name === name);
}
