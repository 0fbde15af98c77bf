import type { CAC } from 'cac';
import { EXIT, problem } from '../problems.ts';
import { writeHtmlReport } from '../report/node/write-html.ts';
import type { Output } from './reference.ts';

/** The options of `report`, as parsed from the command line. */
export interface ReportFlags {
  readonly against?: unknown;
  readonly out?: unknown;
}

/** Adds the command `report` to the command line. */
export function registerReport(cli: CAC): void {
  cli
    .command('report <results.json>', 'Write an HTML report of a results file')
    .option('--against <file>', 'The results of an earlier run, to show what changed')
    .option('--out <folder>', 'Where to write report.html (default: beside the results)')
    .example('gemm-paranoia report reports/local/results.json --against before/results.json')
    .action((results: unknown, flags: ReportFlags) => runReport(results, flags, process.stdout));
}

/**
 * `report <results.json> [--against other.json] [--out folder]`: writes report.html and says where.
 * @returns the exit code.
 * @throws Problem `missing-option` and those of reading results and writing reports.
 */
export async function runReport(results: unknown, flags: ReportFlags, output: Output): Promise<number> {
  const files = await writeHtmlReport({
    results: path(results, 'the results file', 'its path') as string,
    against: path(flags.against, '--against', 'the path of a results file'),
    out: path(flags.out, '--out', 'a folder'),
    warn: (sentence) => process.stderr.write(`${sentence}\n`),
  });
  for (const file of files) output.write(`Wrote ${file}\n`);
  return EXIT.pass;
}

/** The parser makes numbers of names that look like one, and lists of options given twice. */
function path(given: unknown, option: string, need: string): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  if (typeof given === 'number') return String(given);
  throw problem('missing-option', { option, need });
}
