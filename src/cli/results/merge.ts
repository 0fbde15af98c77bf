import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { reportUnwritable } from '../../base/messages.ts';
import { resolveRealPath } from '../../base/node/read-file.ts';
import { say } from '../../base/node/say.ts';
import { VERSION } from '../../base/version.ts';
import { findConfig } from '../../config/node/find-config.ts';
import { findDefinitions } from '../../config/node/find-definitions.ts';
import { defaults } from '../../config/run-options.ts';
import { reporters as known, requireReportable, writesFile } from '../../pages/node/reporters.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import { mergeResults } from '../../run/merge.ts';
import { notMergeable } from '../../run/messages.ts';
import type { NamedResults } from '../../run/same-kind.ts';
import { publish, startLive } from '../gate/publish.ts';
import type { MergeRequest } from '../options.ts';

/**
 * Joins results files, and writes their reports.
 * @returns the exit code of the joined verdict
 * @throws ParanoiaError from reading results, joining them, and writing reports
 */
export async function runMerge(
  files: readonly string[],
  { out = defaults.out, reporters = defaults.reporters, allowMixed, verbose }: MergeRequest,
): Promise<number> {
  const written = reporters
    .map(known.find)
    .filter(writesFile)
    .map(({ file }) => join(out, file));
  const sources: NamedResults[] = [];
  for (const file of files) sources.push({ file, results: await readResultsFile(file, say) });
  await requireDistinct(files, written);
  const results = mergeResults(sources, {
    allowMixed: allowMixed === true,
    stamp: {
      createdAt: new Date().toISOString(),
      version: VERSION,
      command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    },
  });
  requireReportable(reporters, out);
  const live = startLive(reporters, findDefinitions(findConfig(process.cwd()), []));
  return publish(results, { reporters, out, live, verbose: verbose === true });
}

/** Refuses a file that is given twice, or that would be overwritten. @throws ParanoiaError `not-mergeable`, `report-unwritable` */
async function requireDistinct(files: readonly string[], written: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const file of files) {
    const real = await realpath(file);
    if (seen.has(real)) throw notMergeable({ file, why: 'it was given twice' });
    seen.add(real);
  }
  for (const path of written) {
    const there = await resolveRealPath(path);
    if (there !== undefined && seen.has(there)) {
      throw reportUnwritable({ path, why: 'it is one of the files to join' });
    }
  }
}
