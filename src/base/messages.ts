import { defineMessage, EXIT } from './errors.ts';
import { byDistance, nearest } from './nearest.ts';
import { lookUp } from './objects.ts';

export const unknownName = defineMessage(
  'unknown-name',
  EXIT.usage,
  (d: { what: string; given: string; known: readonly string[]; near?: string | undefined }) => {
    const near = d.near ?? nearest(d.given, d.known);
    const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
    const known = d.known.length === 0 ? '' : ` Known: ${someOf(d)}.`;
    return `Unknown ${d.what} "${d.given}".${guess}${known}`;
  },
);

export const badNumber = defineMessage(
  'bad-number',
  EXIT.usage,
  (d: { what: string; given: unknown; need: string }) =>
    `${d.what} must be ${d.need}, but is ${show(d.given)}.`,
);

export const badItem = defineMessage(
  'bad-item',
  EXIT.usage,
  (d: { kind: string; name: unknown; why: string }) =>
    `The ${d.kind} ${show(d.name)} cannot be registered: ${d.why}.`,
);

export const badArgument = defineMessage(
  'bad-argument',
  EXIT.usage,
  (d: { what: string; need: string }) => `The argument ${d.what} is missing or invalid: expected ${d.need}.`,
);

export const reportUnwritable = defineMessage(
  'report-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `Cannot write the report ${d.path}: ${d.why}. Give --out a writable folder.`,
);

export const partMissing = defineMessage(
  'part-missing',
  EXIT.inconclusive,
  (d: { what: string; why: string }) =>
    `Cannot load the part of gemm-paranoia that ${d.what}: ${d.why}. Check the network, and that all its files are of one version. Then call again.`,
);

export const neverLoaded = defineMessage(
  'never-loaded',
  EXIT.ended,
  (d: { file: string }) =>
    `${d.file} never finishes loading: a promise that it awaits at its top level never settles. Remove that await.`,
);

export const loadsTooLong = defineMessage(
  'loads-too-long',
  EXIT.ended,
  (d: { file: string; seconds: number }) =>
    `${d.file} did not finish loading within ${d.seconds} s. Its top level, or a module that it imports, loops forever or awaits a promise that never settles. Remove that code.`,
);

export const endedEarly = defineMessage(
  'ended-early',
  EXIT.ended,
  (d: { file: string | undefined; isUnsettled: boolean }) => {
    const who = d.file === undefined ? 'Code of a config, a kernel, a check or a reporter' : d.file;
    const when = d.file === undefined ? 'before the verdict' : 'while it was loaded';
    return d.isUnsettled
      ? `${who} left a promise that never settles, so there is no verdict. Settle every promise.`
      : `${who} ended the program ${when}, so there is no verdict. Do not call process.exit.`;
  },
);

export const tooFewResources = defineMessage(
  'too-few-resources',
  EXIT.resources,
  (d: { code: string; why: string }) =>
    `The system is out of resources (${d.code}: ${d.why}); no verdict. Raise the limit (ulimit -a shows it), or run fewer jobs at once.`,
  'machine',
);

export const tooLittleMemory = defineMessage(
  'too-little-memory',
  EXIT.usage,
  (d: { what: string; bytes: number; free: number }) => {
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
    return `${d.what} needs ${gigabytes(d.bytes)} of memory, but this machine has ${gigabytes(d.free)} free. Free some, or split the matrices into blocks of rows.`;
  },
);

export const systemRefuses = defineMessage(
  'system-refuses',
  EXIT.resources,
  (d: { code: string; what: string; why: string }) =>
    `System error on ${d.what} (${d.code}: ${d.why}); no verdict. Fix this, then run again.`,
  'machine',
);

/** Kinds with many names, and the command that prints them. */
const LISTED: Readonly<Record<string, string>> = {
  kernel: 'list kernels',
  'leaf kernel': 'list kernels',
  'planted fault': 'list faults',
  precision: 'list precisions',
  input: 'list inputs',
};
const MOST = 20;

const OPTION_OF = 'option of ';

function someOf({ what, given, known }: { what: string; given: string; known: readonly string[] }): string {
  const command = what.startsWith(OPTION_OF)
    ? `${what.slice(OPTION_OF.length)} --help`
    : lookUp(LISTED, what);
  if (known.length <= MOST || command === undefined) return known.join(', ');
  const near = byDistance(given, known).slice(0, MOST / 2);
  return `${near.join(', ')}, … (\`gemm-paranoia ${command}\` prints all)`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
