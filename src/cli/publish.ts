import { basename } from 'node:path';
import type { Machine } from '../gpu/device.ts';
import { lookFor } from '../pages/node/colors.ts';
import { exitCodeOf } from '../pages/verdict.ts';
import { RESULTS_SCHEMA, type Results } from '../run/results.ts';
import type { LiveReports } from './live-reports.ts';
import { openReport } from './open-report.ts';
import { packageVersion } from './program.ts';

/** What `--open` shows. */
const PAGE = 'report.html';

/**
 * Prints results, all of them or what fits a screen, writes them to the files asked for and to the summary of a GitHub step.
 * @returns the exit code of their verdict.
 * @throws ParanoiaError `unknown-name` for a reporter, `report-unwritable`.
 */
export async function publish(
  results: Results,
  options: {
    readonly reporters: readonly string[];
    readonly out: string;
    readonly verbose: boolean;
    readonly open?: boolean;
    /** Reporters that went along with the run. */
    readonly live: LiveReports;
  },
): Promise<number> {
  // What only the end needs is loaded there.
  const [{ tableReport }, { screenReport }, { appendStepSummary, wholeReport, writeReports }] =
    await Promise.all([
      import('../pages/terminal.ts'),
      import('../pages/screen.ts'),
      import('../pages/node/write-report.ts'),
    ]);
  const look = lookFor(process.stdout);
  process.stdout.write(
    options.verbose ? tableReport(results, look) : screenReport(results, look, wholeReport(options)),
  );
  process.stdout.write(options.live.closing(results));
  const files = await writeReports(results, options);
  try {
    await appendStepSummary(results);
  } catch (error) {
    // The summary is a courtesy: the verdict and its exit code stand without it.
    process.stderr.write(`${(error as Error).message}\n`);
  }
  for (const file of files) process.stderr.write(`Wrote ${file}\n`);
  const page = files.find((file) => basename(file) === PAGE);
  if (options.open === true && page !== undefined)
    await openReport(page, (sentence) => process.stderr.write(`${sentence}\n`));
  return exitCodeOf(results);
}

/** The parts of a results file that come from running. */
type Outcome = Omit<
  Results,
  'schema' | 'createdAt' | 'version' | 'command' | 'seed' | 'adapter' | 'arithmetic'
>;

/** A results file: what was found, stamped with what it was found on, when and by which command. */
export function resultsOf(open: Machine, seed: number, outcome: Outcome): Results {
  const { fingerprint, arithmetic, chosenBecause } = open;
  return {
    schema: RESULTS_SCHEMA,
    createdAt: new Date().toISOString(),
    version: packageVersion(),
    command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    seed,
    adapter: {
      ...fingerprint,
      features: [...fingerprint.features],
      toggles: [...fingerprint.toggles],
      chosenBecause,
    },
    arithmetic: { ...arithmetic },
    ...outcome,
  };
}
