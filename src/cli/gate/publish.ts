import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { catchParanoiaErrorAsync, ParanoiaError } from '../../base/errors.ts';
import { reportUnwritable } from '../../base/messages.ts';
import { say } from '../../base/node/say.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import type { Registry } from '../../base/registry.ts';
import type { Machine } from '../../gpu/device.ts';
import { jsonParts } from '../../pages/json.ts';
import type { DefinitionLookup, LiveOutput, LiveReporter } from '../../pages/live.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { openReport } from '../../pages/node/open-report.ts';
import { type AnyReporter, RESULTS, reporters, writesFile } from '../../pages/node/reporters.ts';
import { type Progress, type ProgressOptions, startProgress } from '../../pages/progress.ts';
import { exitCodeOf } from '../../pages/verdict.ts';
import type { Results } from '../../run/results.ts';
import { stampResults, type UnstampedResults } from '../../run/stamped-results.ts';
import { reportLost } from '../messages.ts';

/** The report that `--open` shows. */
const PAGE = 'report.html';

/** The outputs of results. */
export interface PublishOptions {
  readonly reporters: readonly string[];
  /** The registry of reporters. @defaultValue the built-in ones */
  readonly known?: Registry<AnyReporter> | undefined;
  readonly out: string;
  readonly verbose: boolean;
  readonly open?: boolean;
  /** The reason why another promised output is missing. */
  readonly lost?: ParanoiaError | undefined;
  /** Reporters that follow the run. */
  readonly live: LiveReports;
}

/**
 * Writes results to the requested files and to the summary of a GitHub step, and prints all of them, or what fits a screen. The
 * verdict is printed only if every promised file is written. Otherwise all results are printed, with a sentence on what is
 * missing.
 * @returns the exit code of their verdict, or that of the failed output
 * @throws errors that prevent printing, once the results are saved and their path is printed
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
  // Modules that only the end of a run needs are loaded here.
  const [{ tableReport }, { screenReport }, { appendStepSummary, wholeReport, writeReports }] =
    await Promise.all([
      import('../../pages/terminal.ts'),
      import('../../pages/screen.ts'),
      import('../../pages/node/write-report.ts'),
    ]);
  const look = lookFor(process.stdout);
  const files = await catchParanoiaErrorAsync(writeReports(results, options));
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
    // The summary is optional: the verdict and its exit code stand without it.
    say((error as Error).message);
  }
  for (const file of files as string[]) say(`Wrote ${file}`);
  const page = (files as string[]).find((file) => basename(file) === PAGE);
  if (options.open === true && page !== undefined) await openReport(page, say);
  return exitCodeOf(results);
}

/** Makes the error about an incomplete output, with the path of all results, if any. A reporter that throws is its author's to repair. */
export const makeLostOutputError = (lost: ParanoiaError, results: Results): ParanoiaError =>
  lost.code === reportUnwritable.code
    ? reportLost({ why: lost.message, instead: rescued(results) }, lost)
    : lost;

/** Prints, below a verdict, which output is missing. @returns the exit code */
function sayLost(error: ParanoiaError, results: Results): number {
  const { exitCode, message } = makeLostOutputError(error, results);
  process.stdout.write(`\nNOT WRITTEN: ${message}\n`);
  say(`NOT WRITTEN: ${message}`);
  return exitCode;
}

/** Writes all results: to their intended path if possible, else to the temporary directory. @returns the path */
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

/** Writes all results to the temporary directory. @returns the path; undefined if that fails too */
function rescued(results: Results): string | undefined {
  try {
    const path = join(mkdtempSync(join(tmpdir(), 'gemm-paranoia-')), RESULTS);
    writeWhole(path, jsonParts(results));
    return path;
  } catch {
    return undefined;
  }
}

/** Stamps results as {@link stampResults} does, with the command of this process. */
export const stampCommandResults = (open: Machine, seed: number, outcome: UnstampedResults): Results =>
  stampResults(open, { seed, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' ') }, outcome);

/** Output of reporters that follow a run. */
export interface LiveReports {
  /**
   * Starts to show progress: by a reporter, else as usual.
   * @param shown its stream, the number of cases, infinite if unknown, and the seconds after which none begins
   */
  progress(
    shown: Pick<ProgressOptions, 'stream' | 'planned' | 'within'>,
    usual?: (options: ProgressOptions) => Progress,
  ): Progress;
  /** The text below the results. */
  closing(results: Results): string;
}

/**
 * Starts the named reporters that follow a run, and prints their first output; in GitHub Actions its annotations are added.
 * @param known the registry of reporters. @defaultValue the built-in ones
 */
export function startLive(
  names: readonly string[],
  definedAt: DefinitionLookup,
  known = reporters,
  env: NodeJS.ProcessEnv = process.env,
): LiveReports {
  const asked = env.GITHUB_ACTIONS === 'true' ? [...names, 'github'] : names;
  const isLive = (reporter: AnyReporter): reporter is LiveReporter => !writesFile(reporter);
  const lives: LiveOutput[] = [...new Set(asked)]
    .map(known.find)
    .filter(isLive)
    .map((reporter) => reporter.start());
  process.stdout.write(lives.map(({ opening = '' }) => opening).join(''));
  const shown = lives.find(({ progress }) => progress !== undefined)?.progress;
  return {
    progress({ stream, planned, within }, usual = startProgress) {
      const about = { stream, planned, ...lookFor(stream) };
      return shown?.(about) ?? usual({ ...about, within });
    },
    closing: (results) => lives.map(({ closing }) => closing?.(results, definedAt) ?? '').join(''),
  };
}
