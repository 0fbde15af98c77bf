import { join } from 'node:path';
import { buildAtlas } from '../atlas/node/build.ts';
import { EXIT } from '../base/errors.ts';
import { type Flags, parseText } from '../config/flags.ts';
import { counted } from '../report/numbers.ts';
import { ENTRIES } from './atlas-folder.ts';

/** Where pages are written unless it is said. */
const PAGES = 'reports/local/atlas';

/**
 * `atlas build [--from folder] [--out folder]`
 * @returns the exit code.
 * @throws ParanoiaError as {@link buildAtlas} does
 */
export async function runBuild(flags: Flags): Promise<number> {
  const from = flags.from === undefined ? ENTRIES : parseText('--from', flags.from);
  const out = flags.out === undefined ? PAGES : parseText('--out', flags.out);
  const { pages, entries } = buildAtlas(from, out);
  const of = entries === 1 ? '1 entry' : `${entries} entries`;
  process.stdout.write(`Wrote ${counted(pages, 'page')} of ${of}: ${join(out, 'index.html')}\n`);
  return EXIT.pass;
}
