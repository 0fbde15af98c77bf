import { join } from 'node:path';
import { EXIT } from '../base/errors.ts';
import { ENDING } from '../base/node/signals.ts';
import { type Flags, parseNumber, parseText } from '../config/flags.ts';
import { ranges } from '../problem/ranges.ts';
import { copyPage } from '../web/node/files.ts';
import { servePage } from '../web/node/serve.ts';
import { openInBrowser } from './open-report.ts';
import type { Output } from './reference.ts';
import { say } from './say.ts';

/** Free on most computers. */
const PORT = 4386;

/**
 * `page [--port n] [--open] [--out folder]`: serves the page until it is told to end, or writes its files.
 * @returns the exit code.
 * @throws ParanoiaError `port-taken`, `page-folder`, `bad-number`
 */
export async function runPage({ port, out, open }: Flags, output: Output): Promise<number> {
  if (out !== undefined) {
    const to = parseText('--out', out);
    copyPage(to);
    output.write(`Wrote ${join(to, 'index.html')}\n`);
    return EXIT.pass;
  }
  const { url, server } = await servePage(
    port === undefined ? PORT : parseNumber('--port', port, ranges.port),
  );
  output.write(`${url} judges the GPU of the browser that opens it; Ctrl-C ends it.\n`);
  if (open === true) await openInBrowser(url, say);
  await new Promise<void>((ended) => {
    for (const signal of ENDING) process.once(signal, () => ended());
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return EXIT.pass;
}
