import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { copyPage } from '../../src/web/node/serve.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** A file server with the page below a path. */
export interface Host {
  readonly url: string;
  close(): void;
}

/** Copies the page to a folder, and serves the folder. */
export async function hostPage(): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  copyPage(join(folder, 'some/path'));
  const { url, close } = await hostFolder(folder);
  return {
    url: `${url}some/path/`,
    close() {
      close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Serves the files of a folder. */
export async function hostFolder(folder: string): Promise<Host> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const isThere = existsSync(file);
    response.writeHead(isThere ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    if (isThere) createReadStream(file).pipe(response);
    else response.end();
  });
  await new Promise<void>((done) => {
    server.listen(0, 'localhost', done);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}/`, close };
}
