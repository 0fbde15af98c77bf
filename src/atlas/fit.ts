import { fnv1a } from '../gpu/fingerprint.ts';
import type { CaseRow, EntryStatement, KernelRecord } from './entry.ts';

/** Bytes reserved for the hash and the layout of the file. */
const AROUND = 20_000;

/** The bytes of a value as JSON, laid out. */
const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length + 8;

/**
 * Drops passing cases until the statement fits. The choice follows from their texts, so it cannot be biased. Counts and worst
 * errors still cover all cases.
 * @returns undefined if the other cases alone do not fit
 */
export function fitStatement(statement: EntryStatement, most: number): EntryStatement | undefined {
  const bare = { ...statement, kernels: statement.kernels.map((one) => ({ ...one, cases: others(one) })) };
  let room = most - AROUND - bytesOf(bare);
  if (room < 0) return undefined;
  const passing = statement.kernels
    .flatMap(({ cases }, at) => cases.filter(isPassing).map((row) => ({ at, row })))
    .sort((x, y) => fnv1a(x.row.case) - fnv1a(y.row.case));
  const kept = new Set<CaseRow>();
  for (const { row } of passing) {
    room -= bytesOf(row);
    if (room < 0) break;
    kept.add(row);
  }
  if (kept.size === passing.length) return statement;
  const kernels = statement.kernels.map((one) => ({
    ...one,
    cases: one.cases.filter((row) => !isPassing(row) || kept.has(row)),
  }));
  return { ...statement, kernels };
}

const isPassing = ({ verdict }: CaseRow): boolean => verdict === 'pass';
const others = ({ cases }: KernelRecord): CaseRow[] => cases.filter((row) => !isPassing(row));
