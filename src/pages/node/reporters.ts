import { ensureWritable } from '../../base/node/write-file.ts';
import { type Item, OURS, type Registry, registryOf } from '../../base/registry.ts';
import { plainLook } from '../../report/terminal/text.ts';
import type { Results } from '../../run/results.ts';
import { jsonParts, jsonReport } from '../json.ts';
import { type LiveReporter, startDots } from '../live.ts';
import { badReporter } from '../messages.ts';
import { startAnnotations } from './annotations.ts';

/** A report that can be written to a file. */
export interface Reporter extends Item {
  /** The file's name in the folder of reports. */
  readonly file: string;
  /**
   * Renders the report as text. It must not change the results.
   * @param beside the names of the files that lie in the same folder when all are written.
   */
  render(results: Results, beside: readonly string[]): string | Promise<string>;
  /** Renders the report in parts, if it may exceed the longest string. */
  readonly parts?: (results: Results) => Iterable<string>;
}

/** Any reporter that `--reporter` may name. */
export type AnyReporter = Reporter | LiveReporter;

export const writesFile = (reporter: AnyReporter): reporter is Reporter => 'file' in reporter;

/** The file of all results, which later runs and commands read. */
export const RESULTS = 'results.json';

/** The built-in reporters. A config may bring more. */
export const reporters: Registry<AnyReporter> = registryOf<AnyReporter>('reporter', [
  {
    name: 'table',
    what: 'all results in tables, as `--verbose` prints them, without color',
    source: OURS,
    file: 'results.txt',
    async render(results) {
      const { tableReport } = await import('../terminal.ts');
      return tableReport(results, plainLook);
    },
  },
  {
    name: 'json',
    what: 'all results; `report`, `merge` and baselines read it',
    source: OURS,
    file: RESULTS,
    render: jsonReport,
    parts: jsonParts,
  },
  {
    name: 'junit',
    what: 'JUnit for CI servers: a suite for each kernel, a test for each case',
    source: OURS,
    file: 'junit.xml',
    render: async (results) => (await import('./junit.ts')).junitReport(results),
  },
  {
    name: 'markdown',
    what: 'a summary for GitHub: the verdict, failures and replay commands',
    source: OURS,
    file: 'summary.md',
    render: async (results) => (await import('../markdown.ts')).markdownReport(results),
  },
  {
    name: 'html',
    what: 'a self-contained page: failures with heat maps, figures, every case',
    source: OURS,
    file: 'report.html',
    async render(results, beside) {
      // Only the end of a run needs the modules that draw figures.
      const { htmlReport } = await import('../html/page.ts');
      return htmlReport(results, { raw: beside.find((file) => file === RESULTS) });
    },
  },
  {
    name: 'github',
    what: 'GitHub Actions annotations where failing kernels are defined; automatic if GITHUB_ACTIONS is true',
    source: OURS,
    start: startAnnotations,
  },
  {
    name: 'dots',
    what: 'one character for each case: . pass, F fail, ? inconclusive, w waived',
    source: OURS,
    start: () => ({ progress: startDots }),
  },
]);

/** Returns the reporters of these names that write a file. @throws ParanoiaError `unknown-name` */
export const findFileReporters = (names: readonly string[], known: Registry<AnyReporter>): Reporter[] =>
  [...new Set(names)].map(known.find).filter(writesFile);

/**
 * Makes the folder of reports, and checks before a long run that the files of these reporters can be written.
 * @param known the reporters by name. @defaultValue the built-in ones
 * @throws ParanoiaError `unknown-name`, `report-unwritable`
 */
export function requireReportable(names: readonly string[], out: string, known = reporters): void {
  const files = findFileReporters(names, known).map(({ file }) => file);
  ensureWritable(out, files);
}

const PLAIN_FILE = /^[^/\\\0]+$/;

/**
 * Defines a user's own reporter and checks it: its file must lie in the folder of reports.
 * @throws ParanoiaError `bad-reporter`
 */
export function defineReporter(reporter: Reporter): Reporter {
  const { name, file, render } = reporter;
  const why =
    typeof render !== 'function'
      ? 'its "render" is not a function'
      : typeof file !== 'string' || !PLAIN_FILE.test(file) || file === '.' || file === '..'
        ? 'its "file" must be a file name without folders'
        : undefined;
  if (why !== undefined) throw badReporter({ name: String(name), why });
  // The rules of all names apply to its name.
  return registryOf('reporter', [reporter]).items[0];
}
