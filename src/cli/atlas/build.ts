import { join } from 'node:path';
import { buildAtlas } from '../../atlas/node/build.ts';
import { EXIT } from '../../base/errors.ts';
import { counted } from '../../report/numbers.ts';

/**
 * Writes the pages of a folder of entries.
 * @returns the exit code.
 * @throws ParanoiaError as {@link buildAtlas} does
 */
export async function runBuild(from: string, out: string): Promise<number> {
  const { pages, entries } = buildAtlas(from, out);
  const of = entries === 1 ? '1 entry' : `${entries} entries`;
  process.stdout.write(`Wrote ${counted(pages, 'page')} of ${of}: ${join(out, 'index.html')}\n`);
  return EXIT.pass;
}
