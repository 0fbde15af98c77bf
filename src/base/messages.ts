import { defineMessage, EXIT } from './errors.ts';
import { lookUp } from './look-up.ts';
import { byDistance, nearest } from './nearest.ts';

export const unknownName = defineMessage(
  'unknown-name',
  EXIT.usage,
  (d: { what: string; given: string; known: readonly string[]; near?: string | undefined }) => {
    const near = d.near ?? nearest(d.given, d.known);
    const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
    return `Unknown ${d.what} "${d.given}".${guess} Known: ${someOf(d)}.`;
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
  (d: { what: string; need: string }) => `Give ${d.what}: ${d.need}.`,
);

export const reportUnwritable = defineMessage(
  'report-unwritable',
  EXIT.usage,
  (d: { path: string; why: string }) =>
    `The report ${d.path} cannot be written: ${d.why}. Give --out a folder that you may write to.`,
);

export const partMissing = defineMessage(
  'part-missing',
  EXIT.inconclusive,
  (d: { what: string; why: string }) =>
    `The part of gemm-paranoia that ${d.what} could not be loaded (${d.why}): look to the network, or whether its files were replaced by those of another version, and call again.`,
);

export const neverLoaded = defineMessage(
  'never-loaded',
  EXIT.ended,
  (d: { file: string }) =>
    `${d.file} never finishes loading: what it awaits at its top level never comes; let it export what it has to at once.`,
);

export const loadsTooLong = defineMessage(
  'loads-too-long',
  EXIT.ended,
  (d: { file: string; seconds: number }) =>
    `${d.file} does not finish loading in ${d.seconds} s: it, or what it imports, loops without an end or awaits what never comes; let it export what it has to at once.`,
);

export const endedEarly = defineMessage(
  'ended-early',
  EXIT.ended,
  (d: { file: string | undefined; isUnsettled: boolean }) => {
    const who = d.file === undefined ? 'Code of a config, a kernel, a check or a reporter' : d.file;
    const when = d.file === undefined ? 'before a verdict' : 'while it was loaded';
    return d.isUnsettled
      ? `${who} gave a promise that nothing settles, so that there is no verdict; let it settle.`
      : `${who} ended the program ${when}, so that there is no verdict; let it call no process.exit.`;
  },
);

export const tooFewResources = defineMessage(
  'too-few-resources',
  EXIT.resources,
  (d: { code: string; why: string }) =>
    `This machine gives no more of what a run needs (${d.code}: ${d.why}): nothing is said of any kernel; raise the limit (ulimit -a shows it), or run less at once.`,
  'machine',
);

export const systemRefuses = defineMessage(
  'system-refuses',
  EXIT.resources,
  (d: { code: string; what: string; why: string }) =>
    `The operating system refuses what a run needs, ${d.what} (${d.code}: ${d.why}): nothing is said of any kernel; mend that, and run it again.`,
  'machine',
);

/** Kinds with hundreds of names, which `list` prints. */
const LISTED: Readonly<Record<string, string>> = {
  kernel: 'kernels',
  'leaf kernel': 'kernels',
  fault: 'faults',
  precision: 'precisions',
};
const MOST = 20;

function someOf({ what, given, known }: { what: string; given: string; known: readonly string[] }): string {
  const kinds = lookUp(LISTED, what);
  if (known.length <= MOST || kinds === undefined) return known.join(', ');
  const near = byDistance(given, known).slice(0, MOST / 2);
  return `${near.join(', ')}, … (\`gemm-paranoia list ${kinds}\` prints all)`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
