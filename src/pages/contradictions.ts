import type { CaseResult } from '../evidence/case-result.ts';
import { countOutcomes } from '../run/overall.ts';
import type { Results } from '../run/results.ts';

/** The counts of a summary that follow from its cases. */
const COUNTED = ['run', 'pass', 'fail', 'inconclusive', 'waived'] as const;

/**
 * Returns the first contradiction in results that fit their schema, as a clause: between a case and its checks, the summary and its cases,
 * or the verdict and its summary. Undefined where there is none. Fuzz campaigns keep few of their cases, and count all.
 */
export function contradictionIn({ summary, cases, fuzz, study, verdict }: Results): string | undefined {
  const wrong = cases.find(passesDespite);
  if (wrong !== undefined)
    return `its case "${wrong.case}" passes, though its check ${failingCheck(wrong)?.name} fails`;
  if (summary.run > summary.planned)
    return `its summary counts ${summary.run} run of ${summary.planned} planned`;
  if (fuzz !== undefined) return undefined;
  const { waived = 0, ...counts } = countOutcomes(cases);
  const counted = { ...counts, waived, run: cases.length };
  const list = COUNTED.filter((name) => (summary[name] ?? 0) !== counted[name]).map(
    (name) => `${summary[name] ?? 0} ${name}, and its cases are ${counted[name]}`,
  );
  if (list.length > 0) return `its summary contradicts its cases: it counts ${list.join('; ')}`;
  const unproved = study === undefined && verdict === 'pass' ? unprovedBy(counted) : undefined;
  return unproved === undefined ? undefined : `its verdict is pass, though ${unproved}`;
}

const failingCheck = ({ checks }: CaseResult) => checks.find(({ status }) => status === 'fail');
const passesDespite = (result: CaseResult): boolean =>
  result.verdict === 'pass' && failingCheck(result) !== undefined;

/** Returns the reason why these counts prove no pass, as a clause; undefined where they may. */
function unprovedBy(counts: Readonly<Record<(typeof COUNTED)[number], number>>): string | undefined {
  if (counts.pass === 0) return 'no case passes';
  if (counts.fail > counts.waived) return 'a case fails that no waiver covers';
  return counts.inconclusive > 0 ? 'a case is inconclusive' : undefined;
}
