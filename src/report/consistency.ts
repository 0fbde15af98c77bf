import { countsOf } from '../gate/overall.ts';
import type { Results } from '../gate/results.ts';

/**
 * What in results does not fit together, a sentence each: a file that was cut or edited by hand may be valid and still
 * tell two stories. Fuzz campaigns keep only their most telling cases.
 */
export function inconsistencies({ summary, cases, fuzz }: Results): string[] {
  if (fuzz !== undefined) return [];
  const counted = { run: cases.length, ...countsOf(cases) };
  const differing = (['run', 'pass', 'fail', 'inconclusive'] as const).filter(
    (name) => summary[name] !== counted[name],
  );
  if (differing.length === 0) return [];
  const list = differing.map((name) => `${summary[name]} ${name}, and its cases are ${counted[name]}`);
  return [`The summary contradicts the cases: it counts ${list.join('; ')}.`];
}

/** Why comparing one file of results with another may say little, a sentence each. */
export function unlikeRuns(results: Results, against: Results): string[] {
  const [one, other] = [kindOf(results), kindOf(against)];
  if (one === other) return [];
  return [
    `This is a run of ${one}, and what it is compared with one of ${other}: few cases, if any, are in both.`,
  ];
}

const kindOf = ({ study, fuzz }: Results): string =>
  study !== undefined ? `the study ${study.name}` : fuzz !== undefined ? 'fuzz' : 'the gate';
