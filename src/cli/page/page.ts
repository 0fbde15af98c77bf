import { join } from 'node:path';
import { EXIT } from '../../base/errors.ts';
import { ENDING } from '../../base/node/run-uninterrupted.ts';
import { say } from '../../base/node/say.ts';
import { openInBrowser } from '../../pages/node/open-report.ts';
import { copyPage, servePage } from '../../web/node/serve.ts';

import { type PageRequest, PORT } from '../options.ts';
import type { OutputStream } from '../product/reference.ts';

/**
 * Serves the page until it is stopped, or writes its files.
 * @returns the exit code
 * @throws ParanoiaError `port-taken`, `page-folder`
 */
export async function runPage(
  { port = PORT, out, open }: PageRequest,
  output: OutputStream,
): Promise<number> {
  if (out !== undefined) {
    copyPage(out);
    output.write(`Wrote ${join(out, 'index.html')}\n`);
    return EXIT.pass;
  }
  const { url, server } = await servePage(port);
  output.write(`${url} judges the GPU of the browser that opens it (Ctrl-C ends).\n`);
  if (open === true) await openInBrowser(url, say);
  await new Promise<void>((ended) => {
    for (const signal of ENDING) process.once(signal, () => ended());
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return EXIT.pass;
}
