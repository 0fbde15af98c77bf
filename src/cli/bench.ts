import { unknownName } from '../base/messages.ts';
import type { Flags } from '../config/flags.ts';
import { type BenchPart, refuseOtherParts } from './bench-options.ts';

/** What `bench` times or measures, by the word behind it. */
const runs: Readonly<Record<BenchPart, (flags: Flags) => Promise<number>>> = {
  all: async (flags) => (await import('./bench-overview.ts')).runOverview(flags),
  kernels: async (flags) => (await import('./bench-kernels.ts')).runBenchKernels(flags),
  reference: async (flags) => (await import('./bench-reference.ts')).runBenchReference(flags, process.stdout),
};

/** Times or measures what the word behind `bench` says. @returns the exit code. @throws ParanoiaError `unknown-name`, … */
export async function runBench(what: string | undefined, flags: Flags): Promise<number> {
  if (what !== undefined && !isPart(what)) {
    throw unknownName({ what: 'part of bench', given: what, known: benchParts });
  }
  const part = what ?? 'all';
  refuseOtherParts(part, flags);
  return runs[part](flags);
}

const benchParts = Object.keys(runs).filter((part) => part !== 'all');
const isPart = (what: string): what is BenchPart => benchParts.includes(what);
