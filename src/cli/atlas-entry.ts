import type { KeyObject } from 'node:crypto';
import { campaignDoubts } from '../atlas/campaign-doubt.ts';
import { type Entry, LARGEST_ENTRY, type Statement } from '../atlas/entry.ts';
import { fitted } from '../atlas/fit.ts';
import { makeStatement } from '../atlas/make-entry.ts';
import { badKey, entryTooLarge, implausibleRun, notForAtlas } from '../atlas/messages.ts';
import { readKey, sealed, sha256 } from '../atlas/node/seal.ts';
import { entryText } from '../atlas/node/store.ts';
import { implausibleIn } from '../atlas/plausible/checks.ts';
import { readEntry } from '../atlas/read-entry.ts';
import { lookUp } from '../base/look-up.ts';
import { fileReason } from '../base/node/file-reason.ts';
import { readText, readWhole } from '../base/node/read-file.ts';
import { oneLine } from '../base/printable.ts';
import { type Flags, parseList, parseText } from '../config/flags.ts';
import { readResultsFile } from '../pages/node/write-html.ts';
import type { Results } from '../run/results.ts';
import { readInspections } from './atlas-inspections.ts';
import { planDoubts } from './atlas-plan.ts';
import { say } from './say.ts';

/** An option that is a text; undefined where it is not given. @throws ParanoiaError `missing-option` */
export function textOf(flags: Flags, option: string): string | undefined {
  const given = lookUp(flags, option);
  return given === undefined ? undefined : parseText(`--${option}`, given);
}

/** What entries are made with. */
export interface Making {
  readonly now: Date;
  readonly key: KeyObject | undefined;
}

/**
 * The entry of a results file.
 * @throws ParanoiaError `bad-results`, `newer-results`, `not-for-atlas`, `implausible-run`, `entry-too-large`
 */
export async function entryOf(file: string, flags: Flags, { now, key }: Making): Promise<Entry> {
  const results = await readResultsFile(file, say);
  requirePlausible(file, results, now);
  const bytes = readWhole(file);
  const at = textOf(flags, 'raw');
  const raw = { ...(at === undefined ? {} : { at }), bytes: bytes.length, sha256: sha256(bytes) };
  const statement = makeStatement(results, {
    raw,
    said: saidOf(flags),
    doubts: [...(await campaignDoubts(results)), ...(await planDoubts(results))],
    inspections:
      flags.inspected === undefined
        ? []
        : parseList('--inspected', flags.inspected).flatMap((one) => readInspections(one, results)),
  });
  // What is written is what is read again.
  return readEntry(entryText(sealed(within(statement, file), key)), file);
}

function within(statement: Statement, file: string): Statement {
  const found = fitted(statement, LARGEST_ENTRY);
  if (found !== undefined) return found;
  const bytes = Buffer.byteLength(JSON.stringify(statement));
  throw entryTooLarge({ file, bytes, most: LARGEST_ENTRY });
}

function saidOf(flags: Flags): Statement['said'] {
  const said = (['device', 'driver', 'implementation'] as const).flatMap((key) => {
    const text = textOf(flags, key);
    return text === undefined ? [] : [[key, text]];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** @throws ParanoiaError `not-for-atlas`, `implausible-run` */
function requirePlausible(file: string, results: Results, now: Date): void {
  const { study, fuzz, cases } = results;
  if (study !== undefined) throw notForAtlas({ file, what: `the study ${study.name}` });
  if (fuzz !== undefined)
    throw notForAtlas({ file, what: 'a campaign of fuzz, which keeps but a few cases' });
  if (cases.length === 0) throw notForAtlas({ file, what: 'no case that was run' });
  const faults = implausibleIn(results, now);
  const [first] = faults;
  if (first !== undefined)
    throw implausibleRun({ file, first: oneLine(first, LONGEST), more: faults.length - 1 });
}

const LONGEST = 500;

/** The private key of a file. @throws ParanoiaError `bad-key` */
export function keyOf(file: string): KeyObject {
  let pem: string;
  try {
    pem = readText(file);
  } catch (error) {
    throw badKey({ file, why: fileReason(error) }, error);
  }
  try {
    return readKey(pem);
  } catch (error) {
    const { message } = error as Error;
    throw badKey(
      { file, why: message.startsWith('it is') ? message : 'it holds no private key in PEM' },
      error,
    );
  }
}
