import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { algorithmRegistry } from '../../src/algorithms/algorithms.ts';
import { EXIT } from '../../src/base/errors.ts';
import { unknownName } from '../../src/base/messages.ts';
import { say } from '../../src/base/node/say.ts';
import { ensureWritable, writeWhole } from '../../src/base/node/write-file.ts';
import { VERSION } from '../../src/base/version.ts';
import type { OutputStream } from '../../src/cli/product/reference.ts';
import { createStopper } from '../../src/cli/stopper.ts';
import { asAlgorithm, isDyadicTable } from '../../src/collection/as-algorithm.ts';
import type { CollectionTable } from '../../src/collection/collected.ts';
import { ours } from '../../src/collection/figures.ts';
import { tableUnreadable } from '../../src/collection/messages.ts';
import { readTable, readTableFile } from '../../src/collection/node/read-tables.ts';
import { formatCount } from '../../src/report/numbers.ts';
import { defaultMeasures, gradeOf, type MeasureOptions, measureErrors } from './measure.ts';
import { defaultBases, measureBases } from './measure-bases.ts';
import { defaultScaling, measureScaling } from './measure-scaling.ts';
import type { CollectionRequest } from './options.ts';
import { collectionMarkdown, collectionPage } from './page.ts';
import { type CollectionReport, countTables, type TableMeasurements, tablesReport } from './report.ts';
import { tableNames } from './tables.ts';

/** Tables that are also measured with scaled rows and columns; the gain depends little on the table. */
const SCALED = [
  'strassen',
  'winograd',
  'laderman',
  'found-2x2x2-norms',
  'smirnov-3x3x6',
  'found-4x4x4-growth',
];
const FILES = ['catalogue.json', 'catalogue.md', 'catalogue.html'];

/**
 * Measures the tables of the collection, and writes their costs into a folder.
 * @returns the exit code: 4 if it was ended early; the finished tables are written
 * @throws ParanoiaError `unknown-name`, `table-unreadable`, `table-wrong`, `bad-algorithm`, `report-unwritable`
 */
export async function runCollection(request: CollectionRequest, output: OutputStream): Promise<number> {
  const { out = 'reports/local/catalogue', replicates, levels } = request;
  const options: MeasureOptions = {
    ...defaultMeasures,
    ...(replicates && { replicates }),
    ...(levels && { levels }),
  };
  const tables = tablesOf(request);
  ensureWritable(out, FILES);
  const stop = createStopper(undefined);
  const measured = new Map<string, TableMeasurements>();
  const dyadic = tables.filter(isDyadicTable);
  try {
    for (const table of dyadic) {
      // Signals are delivered between two turns of the event loop.
      await setImmediate();
      if (stop.asked()) break;
      measured.set(table.name, await measure(table, options));
      if (measured.size % 10 === 0) say(`${measured.size} of ${dyadic.length} tables measured.`);
    }
  } finally {
    stop.release();
  }
  for (const file of write(reportOf(tables, measured, options), out)) output.write(`Wrote ${file}\n`);
  const left = dyadic.length - measured.size;
  if (left > 0) say(`Stopped early: ${formatCount(left, 'table')} not measured.`);
  return left === 0 ? EXIT.pass : EXIT.inconclusive;
}

/** The requested tables: all or some of the collection, and those in the user's files. */
function tablesOf({ only, table }: CollectionRequest): CollectionTable[] {
  const known = [...ours.map(({ name }) => name), ...tableNames()];
  const files = (table ?? []).map((path) => ownTable(path, known));
  const names = only ?? (files.length === 0 ? known : []);
  const found = names.map((name) => {
    if (!known.includes(name)) throw unknownName({ what: 'catalog table', given: name, known });
    return ours.find((one) => one.name === name) ?? readTable(name);
  });
  return [...found, ...files];
}

/** Reads a table of the user. @throws ParanoiaError `table-unreadable`, `table-wrong` */
function ownTable(path: string, known: readonly string[]): CollectionTable {
  const table = readTableFile(path);
  if (!known.includes(table.name)) return table;
  throw tableUnreadable({
    file: path,
    why: `the catalog already has a table "${table.name}"; rename the file`,
  });
}

async function measure(table: CollectionTable, options: MeasureOptions): Promise<TableMeasurements> {
  const algorithm = algorithmRegistry.get(table.name) ?? asAlgorithm(table);
  const { origin } = table;
  const bases = origin === 'classical' ? undefined : measureBases(algorithm, defaultBases);
  return {
    grade: await gradeOf(algorithm),
    errors: await measureErrors(algorithm, options),
    ...(SCALED.includes(table.name) ? { scaling: await measureScaling(algorithm, defaultScaling) } : {}),
    ...(bases === undefined ? {} : { bases }),
  };
}

function reportOf(
  tables: readonly CollectionTable[],
  measured: ReadonlyMap<string, TableMeasurements>,
  options: MeasureOptions,
): CollectionReport {
  const all = tablesReport(tables, measured);
  return {
    command: ['npm run lab --', ...process.argv.slice(2)].join(' '),
    version: VERSION,
    createdAt: new Date().toISOString(),
    ...{ options, scaling: defaultScaling, counts: countTables(tables, all), tables: all },
  };
}

function write(report: CollectionReport, out: string): string[] {
  const texts = [`${JSON.stringify(report)}\n`, collectionMarkdown(report), collectionPage(report)];
  return FILES.map((name, at) => {
    writeWhole(join(out, name), texts[at]);
    return join(out, name);
  });
}
