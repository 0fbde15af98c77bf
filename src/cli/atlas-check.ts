import type { Entry, Statement } from '../atlas/entry.ts';
import { LARGEST_ENTRY } from '../atlas/entry.ts';
import { fitted } from '../atlas/fit.ts';
import { makeStatement } from '../atlas/make-entry.ts';
import { badEntry, noEntries } from '../atlas/messages.ts';
import { sha256, statementOf } from '../atlas/node/seal.ts';
import { entryFiles, nameFault, readStored, runKey, type Stored } from '../atlas/node/store.ts';
import { canonicalText } from '../base/canonical.ts';
import { EXIT, ParanoiaError } from '../base/errors.ts';
import { fileReason } from '../base/node/file-reason.ts';
import { isThere } from '../base/node/is-there.ts';
import { readWhole } from '../base/node/read-file.ts';
import { oneLine } from '../base/printable.ts';
import { type Flags, parseText } from '../config/flags.ts';
import { readResults } from '../pages/read-results.ts';
import { counted } from '../report/numbers.ts';
import { ENTRIES } from './atlas-folder.ts';
import { spotCheck, spotOf } from './atlas-spot.ts';

/**
 * `atlas check [--from folder] [--spot n] [--seed n]`: whether every entry is what it says it is.
 * @returns the exit code: that of a failure where one is not.
 * @throws ParanoiaError `no-entries`, `entries-unusable`, `entry-unreadable`, `newer-entry`, `bad-number`
 */
export async function runCheck(flags: Flags): Promise<number> {
  const folder = flags.from === undefined ? ENTRIES : parseText('--from', flags.from);
  const spot = flags.spot === undefined ? undefined : spotOf(flags);
  const files = entryFiles(folder);
  if (files.length === 0) throw noEntries({ folder });
  const now = new Date();
  const seen = new Map<string, string>();
  const counts = { faults: 0, raw: 0 };
  const tell = (line: string) => process.stdout.write(`${oneLine(line)}\n`);
  for (const file of files) {
    const found = readable(file, now);
    if (found instanceof ParanoiaError) {
      counts.faults++;
      tell(found.message);
      continue;
    }
    const raw = rawFault(found.entry);
    if (raw !== 'not here') counts.raw++;
    const key = runKey(found.entry);
    const other = seen.get(key);
    seen.set(key, file);
    const faults = [
      nameFault(found),
      raw === 'not here' ? undefined : raw,
      other === undefined ? undefined : `it is of the same run as ${other}`,
    ].filter((one) => one !== undefined);
    counts.faults += faults.length;
    for (const fault of faults) tell(`${file}: ${fault}.`);
    if (spot !== undefined) counts.faults += await spotted(found, spot, tell);
  }
  const what = counts.faults === 0 ? 'all are what they say' : counted(counts.faults, 'fault');
  tell(
    `${files.length === 1 ? '1 entry' : `${files.length} entries`}: ${what}; the results files of ${counts.raw} lie here and make the same.`,
  );
  return counts.faults === 0 ? EXIT.pass : EXIT.fail;
}

function readable(file: string, now: Date): Stored | ParanoiaError {
  try {
    return readStored(file, now);
  } catch (error) {
    // One that cannot be read says nothing of itself.
    if (error instanceof ParanoiaError && error.code === badEntry.code) return error;
    throw error;
  }
}

async function spotted(
  { file, entry }: Stored,
  spot: ReturnType<typeof spotOf>,
  tell: (line: string) => void,
): Promise<number> {
  try {
    tell(`${file}: ${await spotCheck(statementOf(entry), file, spot)}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    tell(error.message);
    return 1;
  }
}

/** Why an entry is not what its results file makes, where that lies in this folder; `not here` where it does not. */
function rawFault(entry: Entry): string | 'not here' | undefined {
  const { at } = entry.raw;
  // What an entry names may be anything: only what lies in this folder is read.
  if (at === undefined || /^[\w-]+:|^[\\/]|\.\./.test(at) || !isThere(at)) return 'not here';
  try {
    return madeOf(entry, at);
  } catch (error) {
    return `${at} cannot be read: ${error instanceof ParanoiaError ? error.message : fileReason(error)}`;
  }
}

function madeOf(entry: Entry, at: string): string | undefined {
  const bytes = readWhole(at);
  if (sha256(bytes) !== entry.raw.sha256) return `${at} is not the results file that it was made of`;
  const { raw, said, doubts } = entry;
  const results = readResults(bytes.toString(), at);
  const made = fitted(makeStatement(results, { raw, said, doubts }), LARGEST_ENTRY);
  return made !== undefined && canonicalText(measuredOf(made)) === canonicalText(measuredOf(entry))
    ? undefined
    : `${at} makes another entry`;
}

/** What follows from a results file alone: grades may have come from elsewhere. */
const measuredOf = ({ run, adapter, arithmetic, probe, kernels }: Statement) => ({
  ...{ run, adapter, arithmetic, probe },
  kernels: kernels.map(({ kernel, precision, counts, worst, failures, cases }) => ({
    ...{ kernel, precision, counts, worst, failures, cases },
  })),
});
