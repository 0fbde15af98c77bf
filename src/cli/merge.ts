import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { CAC } from 'cac';
import { parseList, parseText } from '../config/flags.ts';
import { defaults } from '../config/options.ts';
import { mergeResults } from '../gate/merge.ts';
import type { Source } from '../gate/same-kind.ts';
import { problem } from '../problems.ts';
import { findReporter } from '../report/node/reporters.ts';
import { readResultsFile } from '../report/node/write-html.ts';
import { ensureWritable } from '../report/node/write-report.ts';
import { publish } from './publish.ts';
import { packageVersion } from './version.ts';

/** The options of `merge`, as parsed from the command line. */
export interface MergeFlags {
  readonly out?: unknown;
  readonly reporter?: unknown;
  readonly allowMixed?: unknown;
}

/** Adds the command `merge` to the command line. */
export function registerMerge(cli: CAC): void {
  cli
    .command('merge <...results.json>', 'Join the results of shards, and judge them as one run')
    .option('--out <folder>', `Where to write the joined results (default: ${defaults.out})`)
    .option('--reporter <list>', 'Files to write: table, json, junit, markdown (default: json)')
    .option('--allow-mixed', 'Also join runs of different adapters, versions, seeds or cases')
    .example('gemm-paranoia merge shard-*/results.json --out merged')
    .action((files: unknown[], flags: MergeFlags) => runMerge(files.map(String), flags));
}

/**
 * `merge a.json b.json … [--out folder] [--reporter list] [--allow-mixed]`
 * @returns the exit code of the joined verdict.
 * @throws Problem from reading results, joining them, and writing reports.
 */
export async function runMerge(files: readonly string[], flags: MergeFlags): Promise<number> {
  const out = flags.out === undefined ? defaults.out : parseText('--out', flags.out);
  const reporters =
    flags.reporter === undefined ? defaults.reporters : parseList('--reporter', flags.reporter);
  const written = reporters.map((name) => join(out, findReporter(name).file));
  const sources: Source[] = [];
  for (const file of files) sources.push({ file, results: await readResultsFile(file) });
  await requireDistinct(files, written);
  const results = mergeResults(sources, {
    allowMixed: flags.allowMixed === true,
    stamp: {
      createdAt: new Date().toISOString(),
      version: packageVersion(),
      command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    },
  });
  await ensureWritable(out);
  return publish(results, { reporters, out });
}

/** Refuses a file that is given twice, and to write over one. @throws Problem `not-mergeable`, `report-unwritable` */
async function requireDistinct(files: readonly string[], written: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const file of files) {
    const real = await realpath(file);
    if (seen.has(real)) throw problem('not-mergeable', { file, why: 'it is given twice' });
    seen.add(real);
  }
  for (const path of written) {
    const there = await realpath(path).catch(() => undefined);
    if (there !== undefined && seen.has(there)) {
      throw problem('report-unwritable', { path, why: 'it is one of the files to join' });
    }
  }
}
