import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { openReport } from '../../pages/node/open-report.ts';
import { writeHtmlReport } from '../../pages/node/write-html.ts';
import type { ReportRequest } from '../options.ts';
import type { OutputStream } from '../product/reference.ts';

/**
 * Writes report.html of a results file, and prints its path.
 * @returns the exit code
 * @throws ParanoiaError of reading results and writing reports
 */
export async function runReport(
  results: string,
  request: ReportRequest,
  output: OutputStream,
): Promise<number> {
  const files = await writeHtmlReport({
    ...{ results, against: request.against, out: request.out, allCases: request.allCases === true },
    warn: say,
  });
  for (const file of files) output.write(`Wrote ${file}\n`);
  if (request.open === true) await openReport(files[0], say);
  return EXIT.pass;
}
