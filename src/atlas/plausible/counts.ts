import { OURS } from '../../base/registry.ts';
import { countsOf } from '../../run/overall.ts';
import type { Plausible } from './plausible.ts';

/** The counts that a summary makes of its cases. */
const COUNTED = ['run', 'pass', 'fail', 'inconclusive', 'waived', 'mirrored', 'mirrorEqual'] as const;

export const counts: Plausible = {
  name: 'counts',
  what: 'Are the counts of the summary those of the cases?',
  source: OURS,
  faults({ summary, cases, leftOut = [] }) {
    const counted: Partial<Record<(typeof COUNTED)[number], number | undefined>> = {
      run: cases.length,
      ...countsOf(cases),
    };
    const differing = COUNTED.filter((name) => (summary[name] ?? 0) !== (counted[name] ?? 0));
    const list = differing.map(
      (name) => `${summary[name] ?? 0} ${name}, and its cases are ${counted[name] ?? 0}`,
    );
    const { planned, run, interrupted } = summary;
    const left = planned - run - leftOut.length;
    const isLeft = interrupted ? left < 0 : left !== 0;
    return [
      ...(list.length === 0 ? [] : [`the summary counts ${list.join('; ')}`]),
      ...(isLeft
        ? [`${planned} cases were planned, ${run} run and ${leftOut.length} left out, which does not add up`]
        : []),
      ...(new Set(cases.map((result) => [...(result.after ?? []), result.case].join())).size < cases.length
        ? ['a case is there twice']
        : []),
    ];
  },
};
