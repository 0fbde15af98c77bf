import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Results } from '../../gate/results.ts';
import { problem } from '../../problems.ts';
import { markdownReport } from '../markdown.ts';
import { fileReason } from './file-reason.ts';
import { findReporter } from './reporters.ts';

/**
 * Writes the reports of the given reporters into a folder, which is made if need be. Each file appears whole or
 * not at all.
 * @returns the paths of the files.
 * @throws Problem `unknown-name` for a reporter, `report-unwritable`.
 */
export async function writeReports(
  results: Results,
  { reporters, out }: { reporters: readonly string[]; out: string },
): Promise<string[]> {
  const reports = [...new Set(reporters)].map(findReporter);
  await ensureWritable(out);
  return Promise.all(
    reports.map(async ({ file, render }) => {
      const path = join(out, file);
      await writeWhole(path, render(results));
      return path;
    }),
  );
}

/**
 * Finds out, before a long run, whether reports can be written into a folder, and makes it.
 * @throws Problem `report-unwritable`.
 */
export async function ensureWritable(folder: string): Promise<void> {
  const probe = join(folder, `${randomUUID()}.tmp`);
  try {
    await makeFolder(folder);
    // In one go: a signal between the two would leave the file behind.
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch (error) {
    throw problem('report-unwritable', { path: folder, why: fileReason(error) }, error);
  }
}

/** Makes a folder and those it lies in: by hand, because Node's own recursion never ends where a system's folder refuses. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(folder);
    if (code !== 'ENOENT') throw error;
    if (existsSync(parent)) throw new Error(`${parent} takes no new folders`, { cause: error });
    await makeFolder(parent);
    await mkdir(folder);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What made writing it fail is told.
  }
}

/** Writes a file whole or not at all. @throws Problem `report-unwritable`. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    // In one go: a signal between the two would leave the temporary file behind.
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw problem('report-unwritable', { path, why: fileReason(error) }, error);
  }
}

/**
 * Appends the Markdown report to the summary of the GitHub Actions step that this runs in, if it runs in one.
 * @returns whether it does.
 * @throws Problem `summary-unwritable`.
 */
export async function appendStepSummary(
  results: Results,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return false;
  try {
    await appendFile(path, `\n${markdownReport(results)}`);
    return true;
  } catch (error) {
    throw problem('summary-unwritable', { path, why: fileReason(error) }, error);
  }
}
