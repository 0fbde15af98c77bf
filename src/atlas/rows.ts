import { fromJsonNumber, toJsonNumber } from '../base/real.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { showsBits } from '../pages/summary.ts';
import { type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import type { CaseRow, KernelRecord } from './entry.ts';

/** Returns the worst errors of a kernel's cases. */
export function worstOf(rows: readonly CaseRow[]): KernelRecord['worst'] {
  const random = rows.filter(({ sigmas }) => sigmas !== undefined);
  const passing = random.filter(({ verdict }) => verdict === 'pass');
  const fewest = (some: readonly CaseRow[]) =>
    worstNumber(
      some.map(({ bits }) => bits),
      'smallest',
    );
  const most = (key: 'sigmas' | 'used') =>
    worstNumber(
      rows.map((row) => row[key]),
      'largest',
    );
  const all = {
    bits: fewest(random),
    ...(passing.length < random.length ? { passingBits: fewest(passing) } : {}),
    ...{ sigmas: most('sigmas'), used: most('used') },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Makes the row of a case. */
export function rowOf(result: CaseResult): CaseRow {
  const { verdict, checks, exact, runningBound, equalsModel, checkedShare, waiver, after, unsteady } = result;
  const { tail, leafKernel } = result;
  const failedChecks = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  const bits = exact !== undefined && showsBits(result) ? exact.bits : undefined;
  const all: CaseRow = {
    ...{ case: result.case, verdict },
    ...(waiver === undefined ? {} : { waived: true }),
    ...(verdict === 'fail' && failedChecks.length > 0 ? { failedChecks } : {}),
    ...(exact === undefined ? {} : { max: exact.maxError, mean: exact.meanError, unequal: exact.unequal }),
    ...few('bits', bits),
    ...few('sigmas', checks.find(({ name }) => name === 'sigma')?.found),
    ...few('used', runningBound?.used),
    ...(tail !== 'pad' || leafKernel === undefined ? {} : { leaf: leafKernel }),
    ...(result.bits === undefined ? {} : { digests: result.bits }),
    ...(equalsModel === undefined ? {} : { equalsModel }),
    ...(checkedShare === undefined ? {} : { checkedShare }),
    ...(after === undefined ? {} : { after }),
    ...(unsteady === undefined ? {} : { unsteady }),
  };
  return all;
}

/** Digits of numbers that are not compared bit for bit. */
const DIGITS = 5;

/** A number of a row, rounded for storage; absent if it was not measured. */
const few = <K extends 'bits' | 'sigmas' | 'used'>(
  key: K,
  value: MeasuredNumber,
): Partial<Pick<CaseRow, K>> =>
  (value === undefined
    ? {}
    : { [key]: toJsonNumber(Number(fromJsonNumber(value).toPrecision(DIGITS))) }) as Partial<
    Pick<CaseRow, K>
  >;
