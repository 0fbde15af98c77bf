import { canonicalText } from '../base/canonical.ts';
import { fromJsonNumber } from '../base/numbers.ts';
import { lookUp } from '../base/objects.ts';
import type { AtlasCell } from './cells.ts';
import type { DevicePlatform } from './devices.ts';
import type { CaseRow } from './entry.ts';

/** A difference between two drivers or implementations. */
export interface PlatformChange {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Differences on one device between two of its drivers or implementations. */
export interface PlatformChanges {
  readonly before: DevicePlatform;
  readonly after: DevicePlatform;
  /** Differences of its arithmetic, question by question. */
  readonly arithmetic: readonly PlatformChange[];
  /** True if both were asked the same questions. */
  readonly asked: boolean;
  /** Differences of kernels that were run with both. */
  readonly kernels: readonly PlatformChange[];
  /** The number of kernels that were run with both. */
  readonly common: number;
  /** The number of these kernels that differ. */
  readonly differing: number;
}

/** Compares each environment with the one before it. */
export const changesOf = (environments: readonly DevicePlatform[]): PlatformChanges[] =>
  environments.slice(1).map((after, at) => between(environments[at], after));

function between(before: DevicePlatform, after: DevicePlatform): PlatformChanges {
  const pairs = after.cells.flatMap((cell) => {
    const other = before.cells.find(
      ({ kernel, precision }) => kernel === cell.kernel && precision === cell.precision,
    );
    return other === undefined ? [] : [[other, cell] as const];
  });
  const kernels = pairs.map(([one, other]) => kernelChanges(one, other)).filter(({ length }) => length > 0);
  return {
    ...{ before, after, arithmetic: arithmeticChanges(before, after) },
    asked: before.measured?.probe !== undefined && after.measured?.probe !== undefined,
    ...{ kernels: kernels.flat(), common: pairs.length, differing: kernels.length },
  };
}

function arithmeticChanges(
  { measured: x }: DevicePlatform,
  { measured: y }: DevicePlatform,
): PlatformChange[] {
  if (x === undefined || y === undefined) return [];
  const keys = [...new Set([...Object.keys(x.arithmetic), ...Object.keys(y.arithmetic)])];
  const facts = keys.map((key) => ({
    what: key,
    before: canonicalText(lookUp(x.arithmetic, key) ?? null),
    after: canonicalText(lookUp(y.arithmetic, key) ?? null),
  }));
  const answers = new Map((x.probe ?? []).map((one) => [one.id, one]));
  const asked = (y.probe ?? []).flatMap(({ id, question, answer }) => {
    const other = answers.get(id);
    return other === undefined ? [] : [{ what: question, before: other.answer, after: answer }];
  });
  return [...facts, ...asked].filter((one) => one.before !== one.after);
}

/** The least difference in bits that is reported. */
const TELLING = 0.05;

function kernelChanges(before: AtlasCell, after: AtlasCell): PlatformChange[] {
  const name = after.precision === 'f32' ? after.kernel : `${after.kernel} ${after.precision}`;
  const change = (what: string, x: string | undefined, y: string | undefined): PlatformChange[] =>
    x === y ? [] : [{ what: `${name}: ${what}`, before: x ?? '–', after: y ?? '–' }];
  const [a, b] = [before.bits, after.bits];
  const moved =
    a === undefined || b === undefined || Math.abs(fromJsonNumber(a) - fromJsonNumber(b)) >= TELLING;
  return [
    ...change('verdict', before.verdict, after.verdict),
    ...(moved ? change('bits', a?.toString(), b?.toString()) : []),
    // A missing grade is no change.
    ...(before.grade === undefined || after.grade === undefined
      ? []
      : change('grade', before.grade, after.grade)),
    ...change('findings', saidOf(before), saidOf(after)),
    ...(repeats(before) && repeats(after) ? otherErrors(name, before, after) : []),
  ];
}

const saidOf = ({ kinds }: AtlasCell): string => (kinds.length === 0 ? 'none' : kinds.join(', '));

/** True if a kernel repeats its bits; one that adds in no fixed order has other errors every time. */
const repeats = ({ runs }: AtlasCell): boolean => runs.every(({ record }) => record.repeats !== false);

/** Reports the number of shared cases whose errors differ. */
function otherErrors(name: string, before: AtlasCell, after: AtlasCell): PlatformChange[] {
  const rows = new Map(before.runs[0].record.cases.map((row) => [row.case, row]));
  const pairs = after.runs[0].record.cases.flatMap((row) => {
    const other = rows.get(row.case);
    return other === undefined ? [] : [[other, row] as const];
  });
  const differing = pairs.filter(([x, y]) => isOther(x, y)).length;
  if (differing === 0) return [];
  return [
    {
      what: `${name}: cases with different errors`,
      before: '–',
      after: `${differing} of ${pairs.length}`,
    },
  ];
}

const isOther = (x: CaseRow, y: CaseRow): boolean => x.max !== y.max || x.mean !== y.mean;
