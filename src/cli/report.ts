import { EXIT } from '../base/errors.ts';
import type { Flags } from '../config/flags.ts';
import { missingOption } from '../config/messages.ts';
import { writeHtmlReport } from '../pages/node/write-html.ts';
import { openReport } from './open-report.ts';
import type { Output } from './reference.ts';
import { say } from './say.ts';

/**
 * `report <results.json> [--against other.json] [--out folder] [--all-cases] [--open]`: writes report.html and says where.
 * @returns the exit code.
 * @throws ParanoiaError `missing-option`, and those of reading results and writing reports.
 */
export async function runReport(results: unknown, flags: Flags, output: Output): Promise<number> {
  const files = await writeHtmlReport({
    results: path(results, 'the results file', 'its path') as string,
    against: path(flags.against, '--against', 'the path of a results file'),
    out: path(flags.out, '--out', 'a folder'),
    allCases: flags.allCases === true,
    warn: say,
  });
  for (const file of files) output.write(`Wrote ${file}\n`);
  if (flags.open === true) await openReport(files[0], say);
  return EXIT.pass;
}

/** The parser makes a list of an option that is given twice. */
function path(given: unknown, option: string, need: string): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  throw missingOption({ option, need });
}
