import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ParanoiaError, settling } from '../../base/errors.ts';
import { reportUnwritable } from '../../base/messages.ts';
import { say } from '../../base/node/say.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import type { Registry } from '../../base/registry.ts';
import type { Machine } from '../../gpu/device.ts';
import { jsonParts } from '../../pages/json.ts';
import type { DefinedAt, Live, LiveReporter } from '../../pages/live.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { openReport } from '../../pages/node/open-report.ts';
import { type AnyReporter, RESULTS, reporters, writesFile } from '../../pages/node/reporters.ts';
import { type Progress, type ProgressOptions, startProgress, type TextStream } from '../../pages/progress.ts';
import { exitCodeOf } from '../../pages/verdict.ts';
import type { Results } from '../../run/results.ts';
import { type Outcome, stampedResults } from '../../run/stamped-results.ts';
import { reportLost } from '../messages.ts';

/** What `--open` shows. */
const PAGE = 'report.html';

/** Where results go. */
export interface PublishOptions {
  readonly reporters: readonly string[];
  /** Those that names are looked up in. @defaultValue the built-in ones */
  readonly known?: Registry<AnyReporter> | undefined;
  readonly out: string;
  readonly verbose: boolean;
  readonly open?: boolean;
  /** Why something else that was promised is not written. */
  readonly lost?: ParanoiaError | undefined;
  /** Reporters that went along with the run. */
  readonly live: LiveReports;
}

/**
 * Writes results to the files asked for and to the summary of a GitHub step, and prints them, all of them or what fits a screen.
 * The verdict is printed when all that was promised is written; else all is printed, and what is not written is said.
 * @returns the exit code of their verdict, or that of what could not be written.
 * @throws what keeps them from being told of, once they are kept and it is said where.
 */
export async function publish(results: Results, options: PublishOptions): Promise<number> {
  try {
    return await published(results, options);
  } catch (thrown) {
    const path = kept(results, options);
    if (path !== undefined) say(`All results are in ${path}.`);
    throw thrown;
  }
}

async function published(results: Results, options: PublishOptions): Promise<number> {
  // What only the end needs is loaded there.
  const [{ tableReport }, { screenReport }, { appendStepSummary, wholeReport, writeReports }] =
    await Promise.all([
      import('../../pages/terminal.ts'),
      import('../../pages/screen.ts'),
      import('../../pages/node/write-report.ts'),
    ]);
  const look = lookFor(process.stdout);
  const files = await settling(writeReports(results, options));
  const lost = files instanceof ParanoiaError ? files : options.lost;
  const isAll = options.verbose || lost !== undefined;
  process.stdout.write(
    isAll ? tableReport(results, look) : screenReport(results, look, wholeReport(options)),
  );
  process.stdout.write(options.live.closing(results));
  if (lost !== undefined) return sayLost(lost, results);
  try {
    await appendStepSummary(results);
  } catch (error) {
    // The summary is a courtesy: the verdict and its exit code stand without it.
    say((error as Error).message);
  }
  for (const file of files as string[]) say(`Wrote ${file}`);
  const page = (files as string[]).find((file) => basename(file) === PAGE);
  if (options.open === true && page !== undefined) await openReport(page, say);
  return exitCodeOf(results);
}

/** What of a verdict is not written, and where all results are instead, if anywhere: whose reporter throws has to mend it. */
export const lostOf = (lost: ParanoiaError, results: Results): ParanoiaError =>
  lost.code === reportUnwritable.code
    ? reportLost({ why: lost.message, instead: rescued(results) }, lost)
    : lost;

/** Says below a verdict what of it is not written. @returns the exit code */
function sayLost(error: ParanoiaError, results: Results): number {
  const { exitCode, message } = lostOf(error, results);
  process.stdout.write(`\nNOT WRITTEN: ${message}\n`);
  say(`NOT WRITTEN: ${message}`);
  return exitCode;
}

/** The path of all results, where they were to be written if that can be, else in the temporary directory. */
function kept(results: Results, { reporters, out }: PublishOptions): string | undefined {
  if (!reporters.includes('json')) return rescued(results);
  try {
    const path = join(out, RESULTS);
    writeWhole(path, jsonParts(results));
    return path;
  } catch {
    return rescued(results);
  }
}

/** The path of all results in the temporary directory; undefined where they cannot be written there either. */
function rescued(results: Results): string | undefined {
  try {
    const path = join(mkdtempSync(join(tmpdir(), 'gemm-paranoia-')), RESULTS);
    writeWhole(path, jsonParts(results));
    return path;
  } catch {
    return undefined;
  }
}

/** {@link stampedResults}, of the command that was typed. */
export const resultsOf = (open: Machine, seed: number, outcome: Outcome): Results =>
  stampedResults(open, { seed, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' ') }, outcome);

/** What reporters that go along with a run say of it. */
export interface LiveReports {
  /** Begins to show the progress: as a reporter does, else as usual. @param planned infinite where no number of cases is. */
  progress(stream: TextStream, planned: number, usual?: (options: ProgressOptions) => Progress): Progress;
  /** What is printed below the results. */
  closing(results: Results): string;
}

/**
 * Begins with the reporters of these names that go along with a run, and prints what they begin with; in GitHub Actions its
 * annotations are among them.
 * @param known those that names are looked up in. @defaultValue the built-in ones
 */
export function startLive(
  names: readonly string[],
  definedAt: DefinedAt,
  known = reporters,
  env: NodeJS.ProcessEnv = process.env,
): LiveReports {
  const asked = env.GITHUB_ACTIONS === 'true' ? [...names, 'github'] : names;
  const isLive = (reporter: AnyReporter): reporter is LiveReporter => !writesFile(reporter);
  const lives: Live[] = [...new Set(asked)]
    .map(known.find)
    .filter(isLive)
    .map((reporter) => reporter.start());
  process.stdout.write(lives.map(({ opening = '' }) => opening).join(''));
  const shown = lives.find(({ progress }) => progress !== undefined)?.progress;
  return {
    progress: (stream, planned, usual = startProgress) =>
      (shown ?? usual)({ stream, planned, ...lookFor(stream) }),
    closing: (results) => lives.map(({ closing }) => closing?.(results, definedAt) ?? '').join(''),
  };
}
