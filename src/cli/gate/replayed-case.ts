import { join } from 'node:path';
import { isThere } from '../../base/node/is-there.ts';
import { shownGroups } from '../../pages/failure-groups.ts';
import { RESULTS } from '../../pages/node/reporters.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { noLastRun, noSuchFailure } from '../messages.ts';
import { plannedAgain } from './last-failed.ts';

/**
 * The failure of a number in the results of a folder, as reports count them: the smallest case of a group, after those that it fails after.
 * @throws ParanoiaError `no-last-run`, `no-such-failure`, `bad-results`, `newer-results`
 */
export async function replayedCase(folder: string, number: number): Promise<PlannedCase[]> {
  const file = join(folder, RESULTS);
  if (!isThere(file)) throw noLastRun({ option: '--replay', file });
  const groups = shownGroups(await readResultsFile(file));
  const group = groups.find((one) => one.number === number);
  if (group === undefined) throw noSuchFailure({ file, number, failures: groups.length });
  const { example, smaller } = group;
  return [plannedAgain(smaller === undefined ? example : { case: smaller.case, series: false })];
}
