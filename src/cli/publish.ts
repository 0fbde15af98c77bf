import type { Results, Verdict } from '../gate/results.ts';
import { EXIT } from '../problems.ts';
import { colorsFor } from '../report/node/colors.ts';
import { appendStepSummary, writeReports } from '../report/node/write-report.ts';
import { DEFAULT_WIDTH } from '../report/progress.ts';
import { tableReport } from '../report/table.ts';

const EXIT_OF: Readonly<Record<Verdict, number>> = {
  pass: EXIT.pass,
  fail: EXIT.fail,
  inconclusive: EXIT.inconclusive,
};

/**
 * Prints results, writes them to the files asked for and to the summary of a GitHub step.
 * @returns the exit code of their verdict.
 * @throws Problem `unknown-name` for a reporter, `report-unwritable`.
 */
export async function publish(
  results: Results,
  options: { readonly reporters: readonly string[]; readonly out: string },
): Promise<number> {
  const width = process.stdout.columns ?? DEFAULT_WIDTH;
  process.stdout.write(tableReport(results, { colors: colorsFor(process.stdout), width }));
  const files = await writeReports(results, options);
  try {
    await appendStepSummary(results);
  } catch (error) {
    // The summary is a courtesy: the verdict and its exit code stand without it.
    process.stderr.write(`${(error as Error).message}\n`);
  }
  for (const file of files) process.stderr.write(`Wrote ${file}\n`);
  return EXIT_OF[results.verdict];
}
