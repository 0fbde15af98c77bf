import { randomUUID } from 'node:crypto';
import { copyFile, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Results } from '../../gate/results.ts';
import { shownPath } from '../../matrix/node/shown-path.ts';
import { Problem, problem } from '../../problems.ts';
import { inconsistencies, unlikeRuns } from '../consistency.ts';
import { htmlReport } from '../html/page.ts';
import { LONGEST_TEXT, readResults } from '../read-results.ts';
import { fileReason } from './file-reason.ts';
import { ensureWritable, writeWhole } from './write-report.ts';

/** What {@link writeHtmlReport} needs. */
export interface HtmlReportFiles {
  /** The path of the results file. */
  readonly results: string;
  /** The path of an earlier results file to compare with. */
  readonly against?: string | undefined;
  /** The folder to write into, which is made if need be; by default that of the results. */
  readonly out?: string | undefined;
  /** Is told, in a sentence, what in the results is to be doubted; the report says it too. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/**
 * Writes the HTML report of a results file, and beside it the results where they do not lie there already. Each file
 * appears whole or not at all.
 * @returns the paths of the files written.
 * @throws Problem `bad-results`, `newer-results`, `report-unwritable`.
 */
export async function writeHtmlReport(files: HtmlReportFiles): Promise<string[]> {
  const results = await readResultsFile(files.results);
  const against = files.against === undefined ? undefined : await readResultsFile(files.against);
  const out = resolve(files.out ?? dirname(files.results));
  await ensureWritable(out);
  const inPlace = (await realpath(out)) === (await realpath(dirname(resolve(files.results))));
  const raw = inPlace ? basename(files.results) : 'results.json';
  const report = join(out, 'report.html');
  const copied = inPlace ? undefined : join(out, raw);
  await refuseOverwriting(files, [report, ...(copied === undefined ? [] : [copied])]);
  const copy = copied === undefined ? [] : [await copyWhole(files.results, copied)];
  const doubts = [
    ...inconsistencies(results),
    ...(against === undefined
      ? []
      : [
          ...inconsistencies(against).map((text) => `Of ${files.against}: ${text}`),
          ...unlikeRuns(results, against),
        ]),
  ];
  const doubted = { ...results, notes: [...doubts, ...(results.notes ?? [])] };
  await writeWhole(report, htmlReport(doubted, { against, raw }));
  for (const doubt of doubts) files.warn?.(doubt);
  return [report, ...copy];
}

/** Reads a results file. @throws Problem `bad-results`, `newer-results`. */
export async function readResultsFile(path: string): Promise<Results> {
  return readResults(await textOf(path), path);
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw problem('bad-results', { where: path, why: tooLarge(size) });
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw problem('bad-results', { where: shownPath(path), why: fileReason(error) }, error);
  }
}

// Results are nearly ASCII: a file of this size has more characters than are read, and may not fit a string.
const MOST_BYTES = 1.5 * LONGEST_TEXT;

function tooLarge(size: number): string {
  return `it takes ${size} bytes, and at most ${LONGEST_TEXT} characters are read`;
}

/** Refuses to write over a file that is read. @throws Problem `report-unwritable`. */
async function refuseOverwriting(
  { results, against }: HtmlReportFiles,
  written: readonly string[],
): Promise<void> {
  const read = await Promise.all(
    [results, ...(against === undefined ? [] : [against])].map((path) => realpath(path)),
  );
  for (const path of written) {
    const there = await realpath(path).catch(() => undefined);
    if (there === undefined || !read.includes(there)) continue;
    throw problem('report-unwritable', { path, why: 'it is one of the files to report on' });
  }
}

/** Copies a file whole or not at all. @throws Problem `report-unwritable`. */
async function copyWhole(from: string, path: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await copyFile(from, temporary);
    await rename(temporary, path);
    return path;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw problem('report-unwritable', { path, why: fileReason(error) }, error);
  }
}
