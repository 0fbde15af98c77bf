import { join } from 'node:path';
import { pathExists } from '../../base/node/read-file.ts';
import { say } from '../../base/node/say.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { listFailureGroups } from '../../pages/failure.ts';
import { RESULTS } from '../../pages/node/reporters.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import { standingOf } from '../../pages/standing.ts';
import { parseCase } from '../../problem/case.ts';
import { formatCount } from '../../report/numbers.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { noLastRun, noSuchFailure } from '../messages.ts';
/**
 * Reads the cases that failed in a run from the results in a folder, each with the cases after which it fails. Prints a sentence
 * if none failed.
 * @param kernels kernels whose failures count. @defaultValue all
 * @throws ParanoiaError `no-last-run`, `bad-results`, `newer-results`
 */
export async function lastFailed(
  folder: string,
  kernels: readonly string[] | undefined,
): Promise<PlannedCase[]> {
  const file = join(folder, RESULTS);
  if (!pathExists(file)) throw noLastRun({ option: '--last-failed', file });
  const { cases } = await readResultsFile(file, say);
  const failed = cases.filter(
    (result) => standingOf(result) === 'fail' && (kernels?.includes(result.kernel) ?? true),
  );
  if (failed.length === 0) {
    const whose = kernels === undefined ? '' : ` of ${kernels.join(', ')}`;
    say(`No case${whose} failed in ${file}, so no case runs again.`);
  }
  return failed.map(planAgain);
}

/** Returns the planned case for a case of results, preceded by the cases after which it fails. */
export function planAgain({
  case: text,
  after = [],
  series,
}: Pick<CaseResult, 'case' | 'after' | 'series'>): PlannedCase {
  const others = after.map((other) => parseCase(other));
  return { ...parseCase(text), series, ...(others.length === 0 ? {} : { after: others }) };
}

/**
 * Reads a failure by its number in the reports of a folder: the smallest case of a group, preceded by the cases after which it fails.
 * @throws ParanoiaError `no-last-run`, `no-such-failure`, `bad-results`, `newer-results`
 */
export async function readReplayedCase(folder: string, number: number): Promise<PlannedCase[]> {
  const file = join(folder, RESULTS);
  if (!pathExists(file)) throw noLastRun({ option: '--replay', file });
  const groups = listFailureGroups(await readResultsFile(file));
  const group = groups.find((one) => one.number === number);
  if (group === undefined) throw noSuchFailure({ file, number, failures: groups.length });
  const { example, smaller } = group;
  if (smaller !== undefined) return [planAgain({ case: smaller.case, series: false })];
  const value = planAgain(example);
  return [example.unsteady === undefined ? value : repeated(value, example.unsteady)];
}

/** Most repetitions of a case that failed by chance, and most multiplications of them all. */
const [MOST, WORK] = [100, 2 ** 32];
/** Failures that a replay of such a case is expected to meet. */
const MEETS = 10;

/** Returns a case that failed by chance with as many repetitions as its failures need to show again, and says so. */
function repeated(value: PlannedCase, { failed, runs }: NonNullable<CaseResult['unsteady']>): PlannedCase {
  const { problem } = value;
  const { m, k, n, batch } = problem;
  const most = Math.min(MOST, Math.floor(WORK / Math.max(1, m * k * n * batch)));
  const repeats = Math.min(most, Math.ceil((MEETS * problem.repeats * runs) / Math.max(1, failed)));
  if (repeats <= problem.repeats) return value;
  say(
    `This case failed in ${failed} of ${formatCount(runs, 'run')}, so the replay repeats its product ${repeats} times. If it passes, run it again.`,
  );
  return { ...value, problem: { ...problem, repeats } };
}
