import { defineMessage, EXIT } from '../base/errors.ts';

export const runBrokenOff = defineMessage(
  'run-broken-off',
  EXIT.internal,
  (d: { done: number; planned: number; why: string }) =>
    `The run ended after ${d.done} of ${d.planned} cases, whose results are kept: ${d.why}`,
);

export const stillInFlight = defineMessage(
  'still-in-flight',
  EXIT.inconclusive,
  () => 'A signal ended the run, and a product was still in flight 3 s later.',
);

export const uninspected = defineMessage(
  'uninspected',
  EXIT.inconclusive,
  (d: { kernel: string; why: string }) =>
    `Inspecting ${d.kernel} ended early: ${d.why.replace(/\.$/, '')}; what its outputs would disprove is not known.`,
);

export const badShard = defineMessage(
  'bad-shard',
  EXIT.usage,
  (d: { given: string; why: string }) =>
    `--shard ${d.given} cannot be used: ${d.why}; give it as i/n, such as 2/8 for the second of eight.`,
);

export const tooLargeForHost = defineMessage(
  'too-large-for-host',
  EXIT.usage,
  (d: { what: string; bytes: number; memory: number; size: number }) => {
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
    return `${d.what} takes about ${gigabytes(d.bytes)} with all that it is compared with, and ${gigabytes(d.memory)} of this machine are free: square products fit up to n = ${d.size}.`;
  },
);

export const badCorpus = defineMessage(
  'bad-corpus',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The corpus file ${d.file} cannot be used: ${d.why}; mend or remove it. The others are used.`,
);

export const mixedResults = defineMessage(
  'mixed-results',
  EXIT.usage,
  (d: { what: string; one: string; other: string; values: readonly [string, string] }) =>
    `${d.one} and ${d.other} differ in their ${d.what} (${d.values.join(' and ')}); join only runs of one kind, or give --allow-mixed.`,
);

export const differingResults = defineMessage(
  'differing-results',
  EXIT.usage,
  (d: { case: string; one: string; other: string; verdicts: readonly [string, string] }) => {
    const [a, b] = d.verdicts;
    const how = a === b ? `both ${a}, with other numbers` : `${a} and ${b}`;
    return `${d.one} and ${d.other} differ in the case ${d.case} (${how}); leave one of the files out, or give --allow-mixed to keep the worse.`;
  },
);

export const notMergeable = defineMessage(
  'not-mergeable',
  EXIT.usage,
  (d: { file: string; why: string }) => `${d.file} cannot be joined: ${d.why}.`,
);

export const jobEnded = defineMessage(
  'job-ended',
  EXIT.inconclusive,
  (d: { case: string; why: string }) =>
    `The process that judged ${d.case} ${d.why}; another one goes on with the next case.`,
  'machine',
);

export const jobNotStarted = defineMessage(
  'job-not-started',
  EXIT.inconclusive,
  (d: { why: string }) => `A process that was to judge cases ${d.why}; with --jobs 1 none is needed.`,
);
