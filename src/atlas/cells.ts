import { group } from 'd3-array';
import type { Verdict } from '../evidence/case-result.ts';
import type { FoundGrade } from '../inspect/inspection.ts';
import { type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import type { AtlasEntry, EntryCounts, FailureRow, KernelRecord } from './entry.ts';
import { deviceKey, findPlatform, type Platform, slugOf } from './place.ts';

/** A kernel, as one run reports it. */
export interface KernelReport {
  readonly entry: AtlasEntry;
  readonly record: KernelRecord;
}

/** Failures, as one run reports them. */
export interface AtlasFinding extends FailureRow {
  readonly entry: AtlasEntry;
}

/** The results of all runs of a kernel in one precision, on a device with a driver and an implementation. */
export interface AtlasCell {
  /** The fragment of its link, which follows from the cell's identity. */
  readonly slug: string;
  readonly place: Platform;
  readonly kernel: string;
  readonly precision: string;
  /** Its runs, the latest first. */
  readonly runs: readonly KernelReport[];
  /** The worst verdict of its runs, never a mean. */
  readonly verdict: Verdict;
  readonly counts: EntryCounts;
  readonly bits: MeasuredNumber;
  readonly passingBits: MeasuredNumber;
  readonly sigmas: MeasuredNumber;
  readonly used: MeasuredNumber;
  readonly grade: FoundGrade | undefined;
  readonly findings: readonly AtlasFinding[];
  /** Claims of the kernel that its outputs disprove. */
  readonly contradictions: readonly string[];
  /** Kinds of its findings, in a word or two each, by which readers filter. */
  readonly kinds: readonly string[];
}

/** Groups all entries into cells, by device, kernel, precision, implementation and driver. */
export function cellsOf(entries: readonly AtlasEntry[]): AtlasCell[] {
  const seen = entries.flatMap((entry) => entry.kernels.map((record): KernelReport => ({ entry, record })));
  const cells = [...group(seen, keyOf).values()].map(cellOf);
  const order = ({ place, kernel, precision }: AtlasCell) =>
    [deviceKey(place.device), kernel, precision, place.implementation, place.driver].join('\0');
  return cells.sort((x, y) => (order(x) < order(y) ? -1 : 1));
}

function partsOf({ entry, record }: KernelReport): string[] {
  const { device, driver, implementation } = findPlatform(entry, record);
  return [record.kernel, record.precision, deviceKey(device), driver, implementation];
}

const keyOf = (seen: KernelReport): string => JSON.stringify(partsOf(seen));

const SEVERITY: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];
const GRADES: readonly FoundGrade[] = ['none', 'C', 'B', 'A'];

function cellOf(given: readonly KernelReport[]): AtlasCell {
  const runs = [...given].sort((x, y) => (x.entry.run.createdAt < y.entry.run.createdAt ? 1 : -1));
  const [{ entry, record }] = runs;
  const records = runs.map((one) => one.record);
  const most = (key: 'sigmas' | 'used') =>
    worstNumber(
      records.map((one) => one.worst[key]),
      'largest',
    );
  const fewest = (key: 'bits' | 'passingBits') =>
    worstNumber(
      records.map((one) => one.worst[key]),
      'smallest',
    );
  const verdicts = records.map(verdictOf);
  const findings = runs.flatMap((run) =>
    (run.record.failures ?? []).map((failures) => ({ ...failures, entry: run.entry })),
  );
  const contradictions = [...new Set(records.flatMap((one) => one.contradictions ?? []))];
  return {
    ...{ slug: slugOf(...partsOf(runs[0])), place: findPlatform(entry, record), runs },
    ...{ kernel: record.kernel, precision: record.precision },
    verdict: SEVERITY.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive',
    counts: summed(records.map(({ counts }) => counts)),
    ...{ bits: fewest('bits'), passingBits: fewest('passingBits') },
    ...{ sigmas: most('sigmas'), used: most('used') },
    grade: GRADES.find((grade) => records.some((one) => one.grade === grade)),
    ...{ findings, contradictions, kinds: kindsOf(runs, { findings, contradictions }) },
  };
}

function verdictOf({ counts, contradictions = [] }: KernelReport['record']): Verdict {
  if (counts.fail > counts.waived || contradictions.length > 0) return 'fail';
  return counts.inconclusive > 0 || counts.pass === 0 ? 'inconclusive' : 'pass';
}

function summed(all: readonly EntryCounts[]): EntryCounts {
  const sum = (key: keyof EntryCounts) => all.reduce((total, counts) => total + counts[key], 0);
  return {
    ...{ cases: sum('cases'), pass: sum('pass'), fail: sum('fail'), inconclusive: sum('inconclusive') },
    ...{
      waived: sum('waived'),
      comparedWithModel: sum('comparedWithModel'),
      equalToModel: sum('equalToModel'),
    },
  };
}

interface Found {
  readonly findings: readonly AtlasFinding[];
  readonly contradictions: readonly string[];
}

/** The kinds of a cell's findings: mistakes that failures resemble, else the checks that fail first; then its other findings. */
function kindsOf(runs: readonly KernelReport[], { findings, contradictions }: Found): string[] {
  const unlike = findings.some(({ looksLike }) => looksLike === undefined);
  const checks = runs.flatMap(({ record }) =>
    record.cases.flatMap(({ failedChecks = [] }) => failedChecks.slice(0, 1)),
  );
  return [
    ...new Set([
      ...findings.flatMap(({ looksLike }) => looksLike?.cause ?? []),
      ...(unlike ? checks.map((check) => `fails ${check}`) : []),
      ...(contradictions.length > 0 ? ['disproved claim'] : []),
    ]),
  ].sort();
}

export const findingsIn = ({ findings, contradictions }: AtlasCell): number =>
  findings.length + contradictions.length;
