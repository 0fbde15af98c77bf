import { lookUp } from '../base/look-up.ts';
import type { Flags } from '../config/flags.ts';
import { farmWhat } from '../farm/messages.ts';

/** What a farm is asked to do. */
const ways: Readonly<Record<string, (flags: Flags) => Promise<number>>> = {
  submit: async (flags) => (await import('./farm-submit.ts')).runSubmit(flags),
  work: async (flags) => (await import('./farm-work.ts')).runWork(flags),
  watch: async (flags) => (await import('./farm-watch.ts')).runFarmWatch(flags),
  collect: async (flags) => (await import('./farm-collect.ts')).runCollect(flags),
};

/** @returns the exit code. @throws ParanoiaError `farm-what`, and those of what is asked */
export async function runFarm(what: string, flags: Flags): Promise<number> {
  const run = lookUp(ways, what);
  if (run === undefined) throw farmWhat({ given: what, known: Object.keys(ways) });
  return run(flags);
}
