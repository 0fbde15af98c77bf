import { join } from 'node:path';
import { appendTo, ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { toOneLine } from '../../base/printable.ts';
import type { Registry } from '../../base/registry.ts';
import { machineError } from '../../base/system-errors.ts';
import type { Results } from '../../run/results.ts';
import { markdownReport } from '../markdown.ts';
import { reporterBroken, summaryUnwritable } from '../messages.ts';
import {
  type AnyReporter,
  reporters as builtin,
  findFileReporters,
  type Reporter,
  writesFile,
} from './reporters.ts';

/**
 * Writes the reports of the given reporters into a folder, which is made if necessary. Reporters that write no file are skipped. Each file
 * appears whole or not at all.
 * @returns the paths of the files.
 * @throws ParanoiaError `unknown-name` for a reporter, `report-unwritable`, `reporter-broken`; the others are then written.
 */
export async function writeReports(
  results: Results,
  {
    reporters,
    out,
    known = builtin,
  }: {
    readonly reporters: readonly string[];
    readonly out: string;
    /** The reporters by name. @defaultValue the built-in ones */
    readonly known?: Registry<AnyReporter> | undefined;
  },
): Promise<string[]> {
  const reports = findFileReporters(reporters, known);
  const files = reports.map(({ file }) => file);
  ensureWritable(out);
  const written = await Promise.allSettled(
    reports.map(async (reporter) => {
      const path = join(out, reporter.file);
      writeWhole(path, reporter.parts?.(results) ?? (await rendered(reporter, results, files)));
      return path;
    }),
  );
  // A report that cannot be written does not stop the others.
  const failed = written.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return written.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Reports that hold all results, the most readable first. */
const WHOLE = ['table', 'json'];

/** Returns the file that has all results of a run, if one is written. */
export function wholeReport({
  reporters: names,
  out,
}: {
  readonly reporters: readonly string[];
  readonly out: string;
}): string | undefined {
  const whole = WHOLE.find((one) => names.includes(one));
  const [reporter] = whole === undefined ? [] : [builtin.find(whole)].filter(writesFile);
  return reporter === undefined ? undefined : join(out, reporter.file);
}

async function rendered(
  { name, render }: Reporter,
  results: Results,
  files: readonly string[],
): Promise<string> {
  let text: unknown;
  try {
    text = await render(results, files);
  } catch (error) {
    const refusal = machineError(error);
    if (refusal !== undefined) throw refusal;
    const why = toOneLine(error instanceof Error ? error.message : String(error), 200).replace(/\.$/, '');
    throw reporterBroken({ name, why: `it throws ${why}` }, error);
  }
  if (typeof text === 'string') return text;
  throw reporterBroken({ name, why: 'its render must return a string' });
}

/**
 * Appends the Markdown report to the summary of the current GitHub Actions step, if there is one.
 * @returns true if the run is part of such a step.
 * @throws ParanoiaError `summary-unwritable`.
 */
export async function appendStepSummary(
  results: Results,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return false;
  appendTo(path, `\n${markdownReport(results)}`, (file, why, cause) =>
    summaryUnwritable({ path: file, why }, cause),
  );
  return true;
}
