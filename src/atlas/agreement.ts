import { fromReal, type Real } from '../base/real.ts';
import type { CaseRow, Entry, KernelRecord } from './entry.ts';
import { deviceKey, placeOf } from './place.ts';

/** Two runs that say different things of one case, of one kernel on one device. */
export interface Disagreement {
  readonly case: string;
  /** What each says, in the order of the runs: "passes, largest error 1e-6". */
  readonly said: readonly [string, string];
  /** The runs, by the hashes of their entries. */
  readonly runs: readonly [string, string];
}

/** What must be the same for results of a case to be the same: device, driver, implementation, kernel, versions. */
export function sameKey(entry: Entry, record: KernelRecord): string {
  const { device, driver, implementation } = placeOf(entry, record);
  const { kernel, precision, versions = {} } = record;
  const all = Object.entries(versions).sort(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify([
    ...[deviceKey(device), driver, implementation, entry.adapter.toggles],
    ...[kernel, precision, all, entry.run.version],
  ]);
}

/** A kernel as one run has it. */
export interface Seen {
  readonly entry: Entry;
  readonly record: KernelRecord;
}

/** The cases of which runs of one kernel in one place say different things, each with the first two that do. */
export function disagreements(seen: readonly Seen[]): Disagreement[] {
  const found = new Map<string, Disagreement>();
  const first = new Map<string, { row: CaseRow; hash: string }>();
  for (const { entry, record } of seen) {
    const place = sameKey(entry, record);
    const repeats = seen.every((one) => one.record.repeats !== false);
    for (const row of record.cases) {
      const key = `${place} ${(row.after ?? []).join()} ${row.case}`;
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, { row, hash: entry.hash });
        continue;
      }
      if (found.has(key) || !differ(other.row, row, repeats)) continue;
      found.set(key, {
        case: row.case,
        said: [saidOf(other.row), saidOf(row)],
        runs: [other.hash, entry.hash],
      });
    }
  }
  return [...found.values()];
}

/** Numbers of kernels that add up in no order need not be the same, and no verdict is that came by chance. */
function differ(x: CaseRow, y: CaseRow, repeats: boolean): boolean {
  if (x.unsteady !== undefined || y.unsteady !== undefined) return false;
  if (x.verdict !== y.verdict) return true;
  return repeats && !NUMBERS.every((key) => isSameNumber(x[key], y[key]));
}

const NUMBERS = ['max', 'mean', 'unequal'] as const;

/** The low part of an exact product may have been rounded otherwise in its last bit, which moves an error by a few of its own. */
const AGREED = 2 ** -50;

/** True if two records of an error, or of a count, agree on one result. */
export function isSameNumber(one: Real | undefined, other: Real | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  const [x, y] = [fromReal(one), fromReal(other)];
  return Math.abs(x - y) <= AGREED * Math.min(Math.abs(x), Math.abs(y));
}

const saidOf = ({ verdict, max, mean }: CaseRow): string =>
  max === undefined ? `${verdict}, no product` : `${verdict}, largest error ${max}, mean ${mean}`;
