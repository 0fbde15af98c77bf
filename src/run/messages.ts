import { defineMessage, EXIT } from '../base/errors.ts';

export const runBrokenOff = defineMessage(
  'run-broken-off',
  EXIT.internal,
  (d: { done: number; planned: number; why: string }) =>
    d.done === d.planned
      ? `All cases ran, and their results are kept. Only the search for smaller failing cases ended early. Reason: ${d.why}`
      : d.done === 0
        ? `The run ended early, before any case finished. Reason: ${d.why}`
        : `The run ended early, after ${d.done} of ${d.planned} cases; their results are kept. Reason: ${d.why}`,
);

export const stillInFlight = defineMessage(
  'still-in-flight',
  EXIT.inconclusive,
  () => 'A signal, such as Ctrl-C, stopped the run. The kernel was still computing 3 s later.',
);

export const uninspected = defineMessage(
  'uninspected',
  EXIT.inconclusive,
  (d: { kernel: string; why: string }) =>
    `Inspection of ${d.kernel} ended early: ${d.why.replace(/\.$/, '')}; some of its claims are unchecked.`,
);

export const badShard = defineMessage(
  'bad-shard',
  EXIT.usage,
  (d: { given: string; why: string }) =>
    `--shard ${d.given} is invalid: ${d.why}. Use i/n, such as 2/8 for the second of eight shards.`,
);

export const tooLargeForHost = defineMessage(
  'too-large-for-host',
  EXIT.usage,
  (d: { what: string; bytes: number; memory: number; size: number }) => {
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
    return `${d.what} needs about ${gigabytes(d.bytes)} with its exact product, but this machine has ${gigabytes(d.memory)} free. Square products fit up to n = ${d.size}.`;
  },
);

export const badCorpus = defineMessage(
  'bad-corpus',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The corpus file ${d.file} cannot be used: ${d.why}; fix or remove it. The others are used.`,
);

export const mixedResults = defineMessage(
  'mixed-results',
  EXIT.usage,
  (d: { what: string; one: string; other: string; values: readonly [string, string] }) =>
    `${d.one} and ${d.other} differ in their ${d.what} (${d.values.join(' and ')}); merge only runs of one kind, or give --allow-mixed.`,
);

export const differingResults = defineMessage(
  'differing-results',
  EXIT.usage,
  (d: { case: string; one: string; other: string; verdicts: readonly [string, string] }) => {
    const [a, b] = d.verdicts;
    const how = a === b ? `both ${a}, with other numbers` : `${a} and ${b}`;
    return `${d.one} and ${d.other} disagree on the case ${d.case} (${how}). Omit one of the files, or give --allow-mixed to keep the worse result.`;
  },
);

export const notMergeable = defineMessage(
  'not-mergeable',
  EXIT.usage,
  (d: { file: string; why: string }) => `Cannot merge ${d.file}: ${d.why}.`,
);

export const jobEnded = defineMessage(
  'job-ended',
  EXIT.inconclusive,
  (d: { case: string; why: string }) =>
    `The process that judged ${d.case} ${d.why}. Another process continues with the next case.`,
  'machine',
);

export const jobNotStarted = defineMessage(
  'job-not-started',
  EXIT.inconclusive,
  (d: { why: string }) => `A process that judges cases ${d.why}. Try --jobs 1, which needs no other process.`,
);

export const badBaselines = defineMessage(
  'bad-baselines',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The baselines in ${d.file} cannot be used: ${d.why}. Fix or remove the file.`,
);

export const folderUnusable = defineMessage(
  'folder-unusable',
  EXIT.usage,
  (d: { option: string; path: string; why: string; maker: string }) =>
    `The folder ${d.path} of ${d.option} cannot be used: ${d.why}. Name an existing folder, or let ${d.maker} create it.`,
);

export const jsonUnwritable = defineMessage(
  'json-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The file ${d.path} of --json cannot be written: ${d.why}. Name a file in a writable folder.`,
);
