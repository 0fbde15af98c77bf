import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { disagreements } from '../atlas/agreement.ts';
import type { Entry } from '../atlas/entry.ts';
import { atlasUnwritable } from '../atlas/messages.ts';
import { statementOf } from '../atlas/node/seal.ts';
import { entryFiles, entryText, fileNameOf, readStored, runKey, type Stored } from '../atlas/node/store.ts';
import { placeOf } from '../atlas/place.ts';
import { EXIT } from '../base/errors.ts';
import { readText } from '../base/node/read-file.ts';
import { requireTarget, type Unwritable, writeWhole } from '../base/node/write-file.ts';
import { oneLine } from '../base/printable.ts';
import { type Flags, parseText } from '../config/flags.ts';
import { counted } from '../report/numbers.ts';
import { entryOf, keyOf, textOf } from './atlas-entry.ts';
import { ENTRIES } from './atlas-folder.ts';
import { spotCheck, spotOf } from './atlas-spot.ts';
import { say } from './say.ts';

/**
 * `atlas add <results.json…> [--to folder] [--raw where] [--device name] [--driver text] [--implementation name] [--inspected file] [--key file] [--spot n] [--seed n]`:
 * all files, or none.
 * @returns the exit code.
 * @throws ParanoiaError of what is wrong with one: then nothing is written
 */
export async function runAdd(files: readonly string[], flags: Flags): Promise<number> {
  const to = textOf(flags, 'to') ?? ENTRIES;
  const key = flags.key === undefined ? undefined : keyOf(parseText('--key', flags.key));
  const now = new Date();
  const spot = spotOf(flags);
  const known = entryFiles(to).map((file) => readStored(file, now));
  const added: Stored[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const entry = isEntry(file) ? readStored(file, now).entry : await entryOf(file, flags, { now, key });
    const same = [...known, ...added].find((one) => runKey(one.entry) === runKey(entry));
    if (same !== undefined) {
      lines.push(`${file} is there already, as ${same.file}.`);
      continue;
    }
    const checked = await spotCheck(statementOf(entry), file, spot);
    const path = join(to, fileNameOf(entry));
    added.push({ file: path, entry });
    lines.push(`${file}: ${describe(entry)}; ${checked}.`, ...aboutDoubts(entry));
  }
  writeAll(added);
  for (const line of lines) process.stdout.write(`${oneLine(line)}\n`);
  for (const { file } of added) say(`Wrote ${file}`);
  for (const sentence of disagreeing([...known, ...added], added)) say(sentence);
  return EXIT.pass;
}

const unwritable: Unwritable = (path, why, cause) =>
  atlasUnwritable({ path, why, instead: 'a folder with --to' }, cause);

/** Writes all entries, or none. @throws ParanoiaError `atlas-unwritable` */
function writeAll(added: readonly Stored[]): void {
  for (const { file } of added) requireTarget(file, unwritable, true);
  const written: string[] = [];
  try {
    for (const { file, entry } of added) {
      writeWhole(file, entryText(entry), unwritable);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw error;
  }
}

/** What an entry begins with. */
const HEAD = /^\s*\{\s*"schema"\s*:\s*"gemm-paranoia\/atlas\//;

/** Whether a file holds an entry: what cannot be read is told as results are. */
function isEntry(file: string): boolean {
  try {
    return HEAD.test(readText(file).slice(0, LONGEST_HEAD));
  } catch {
    return false;
  }
}

const LONGEST_HEAD = 200;

/** Where its kernels computed, how many, and what came of them. */
function describe(entry: Entry): string {
  const { device, driver, implementation } = placeOf(entry, entry.kernels[0]);
  const cases = entry.kernels.reduce((sum, { counts }) => sum + counts.cases, 0);
  return `${device}, driver ${driver}, ${implementation}: ${counted(entry.kernels.length, 'kernel')}, ${counted(cases, 'case')}, ${entry.run.verdict}`;
}

const aboutDoubts = ({ doubts = [] }: Entry): string[] => doubts.map((doubt) => `To be doubted: ${doubt}`);

/** A sentence on each case of which a run that was added says something else than another. */
function disagreeing(all: readonly Stored[], added: readonly Stored[]): string[] {
  const seen = all.flatMap(({ entry }) => entry.kernels.map((record) => ({ entry, record })));
  const hashes = new Set(added.map(({ entry }) => entry.hash));
  const kernels = new Set(seen.map(({ record }) => record.kernel));
  return [...kernels].flatMap((kernel) => {
    const found = disagreements(seen.filter(({ record }) => record.kernel === kernel)).filter(({ runs }) =>
      runs.some((hash) => hashes.has(hash)),
    );
    if (found.length === 0) return [];
    const [{ case: text, said }] = found;
    return [
      `Runs of ${kernel} disagree in ${counted(found.length, 'case')}, the first ${text}: ${said.join(' and ')}. The atlas shows both.`,
    ];
  });
}
