import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ParanoiaError } from '../../base/errors.ts';
import { reportUnwritable } from '../../base/messages.ts';
import {
  fileReason,
  formatPath,
  pathExists,
  readWhole,
  resolveRealPath,
  withFile,
} from '../../base/node/read-file.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import type { Results } from '../../run/results.ts';
import { badResults } from '../messages.ts';
import { LONGEST_TEXT, readResults } from '../read-results.ts';

/** The options of {@link writeHtmlReport}. */
export interface HtmlReportFiles {
  /** The path of the results file. */
  readonly results: string;
  /** The path of an earlier results file to compare with. */
  readonly against?: string | undefined;
  /** The folder to write into, which is made if necessary; by default that of the results. */
  readonly out?: string | undefined;
  /** True to list every case, on a page of up to 1 MB. @defaultValue as many as fit 300 KB */
  readonly allCases?: boolean | undefined;
  /** Receives warnings on the files, a sentence each: a file is large, or the two runs hardly compare. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/**
 * Writes the HTML report of a results file, and a copy of the results beside it if they lie elsewhere. Each file appears whole or not at
 * all.
 * @returns the paths of the files written.
 * @throws ParanoiaError `bad-results`, `newer-results`, `report-unwritable`.
 */
export async function writeHtmlReport(files: HtmlReportFiles): Promise<string[]> {
  const results = await readResultsFile(files.results, files.warn);
  const against = files.against === undefined ? undefined : await readResultsFile(files.against, files.warn);
  const out = resolve(files.out ?? dirname(files.results));
  ensureWritable(out);
  const inPlace = (await realpath(out)) === (await realpath(dirname(resolve(files.results))));
  const raw = inPlace ? basename(files.results) : 'results.json';
  const report = join(out, 'report.html');
  const copied = inPlace ? undefined : join(out, raw);
  await refuseOverwriting(files, [report, ...(copied === undefined ? [] : [copied])]);
  if (copied !== undefined) {
    refuseOther(copied, files.results);
    writeWhole(copied, readWhole(files.results));
  }
  const doubts = against === undefined ? [] : listRunDifferences(results, against);
  // Callers that only read results do not need the modules that draw figures.
  const { htmlReport, LARGEST_REPORT, LARGEST_WITH_ALL } = await import('../html/page.ts');
  const largest = files.allCases === true ? LARGEST_WITH_ALL : LARGEST_REPORT;
  writeWhole(report, htmlReport(results, { against, raw, doubts, largest }));
  for (const doubt of doubts) files.warn?.(doubt);
  return [report, ...(copied === undefined ? [] : [copied])];
}

/**
 * Reads a results file.
 * @param say receives a sentence if the file is large.
 * @throws ParanoiaError `bad-results`, `newer-results`.
 */
export async function readResultsFile(path: string, say?: (sentence: string) => void): Promise<Results> {
  return readResults(textOf(path, say), path);
}

/** Size of a file that takes about a second to read, in bytes. */
const LARGE = 2 ** 23;

function textOf(path: string, say?: (sentence: string) => void): string {
  try {
    return withFile(path, ({ size, whole }) => {
      if (size > MOST_BYTES) throw badResults({ where: path, why: tooLarge(size) });
      if (size >= LARGE) say?.(`Reading ${path} (${Math.round(size / 1e6)} MB)`);
      return whole().toString();
    });
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    throw badResults({ where: formatPath(path), why: fileReason(error) }, error);
  }
}

// Results are nearly ASCII. A file of this size exceeds the longest accepted text, and may not fit a string.
const MOST_BYTES = 1.5 * LONGEST_TEXT;

function tooLarge(size: number): string {
  return `it has ${size} bytes, but at most ${LONGEST_TEXT} characters can be read`;
}

/** Refuses to overwrite an input file. @throws ParanoiaError `report-unwritable`. */
async function refuseOverwriting(
  { results, against }: HtmlReportFiles,
  written: readonly string[],
): Promise<void> {
  const read = await Promise.all(
    [results, ...(against === undefined ? [] : [against])].map((path) => realpath(path)),
  );
  for (const path of written) {
    const there = await resolveRealPath(path);
    if (there === undefined || !read.includes(there)) continue;
    throw reportUnwritable({ path, why: 'it is one of the files to report on' });
  }
}

/** Refuses to overwrite the results of another run. @throws ParanoiaError `report-unwritable`. */
function refuseOther(path: string, results: string): void {
  if (!pathExists(path) || contentsOf(path).equals(contentsOf(results))) return;
  throw reportUnwritable({ path, why: 'it holds the results of another run' });
}

/** Returns the contents of a file; empty for a device or another special file, which holds nothing to lose. */
function contentsOf(path: string): Buffer {
  return statSync(path).isFile() ? readWhole(path) : Buffer.alloc(0);
}

/** Lists the reasons why a comparison of two results files may show little, a sentence each. */
export function listRunDifferences(results: Results, against: Results): string[] {
  const [one, other] = [kindOf(results), kindOf(against)];
  if (one === other) return [];
  return [`This is a run of ${one}, compared with a run of ${other}: they share few cases, if any.`];
}

const kindOf = ({ study, fuzz }: Results): string =>
  study !== undefined ? `the study ${study.name}` : fuzz !== undefined ? 'fuzz' : 'the gate';
