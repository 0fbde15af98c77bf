import { copyFileSync, createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/invocation.ts';
import { fileReason } from '../../base/node/read-file.ts';
import { lookUp } from '../../base/objects.ts';
import { pageFolder, portTaken } from '../messages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const HOST = 'http://localhost';

export interface PageServer {
  readonly url: string;
  readonly server: Server;
}

/** The file name in the address of a request; undefined if the address is invalid. */
function fileNamed(address: string): string | undefined {
  if (!URL.canParse(address, HOST)) return undefined;
  const { pathname } = new URL(address, HOST);
  return pathname === '/' ? 'index.html' : pathname.slice(1);
}

/**
 * Serves the page to browsers on this computer: localhost gets WebGPU without a certificate.
 * @param port the port, or 0 for any free one
 * @throws ParanoiaError `port-taken`
 */
export async function servePage(port: number): Promise<PageServer> {
  const server = createServer((request, response) => {
    const name = fileNamed(request.url ?? '');
    if (name === undefined) {
      response
        .writeHead(400, { 'content-type': TYPES['.txt'] })
        .end('Bad request: the address names no file.\n');
      return;
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !files.includes(name) || !existsSync(join(folder, name))) {
      response
        .writeHead(isRead ? 404 : 405, { 'content-type': TYPES['.txt'] })
        .end(isRead ? 'Not found.\n' : 'Method not allowed.\n');
      return;
    }
    response.writeHead(200, {
      'content-type': lookUp(TYPES, extname(name)),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(join(folder, name))
        .on('error', () => response.destroy())
        .pipe(response);
  });
  await new Promise<void>((done, failed) => {
    server.once('error', (error) => failed(portTaken({ port, why: fileReason(error) }, error)));
    server.listen(port, 'localhost', done);
  });
  const address = server.address();
  return { url: `http://localhost:${typeof address === 'object' ? address?.port : port}/`, server };
}

export const folder = fileURLToPath(new URL('.', ownScript('../../page/page', import.meta.url)));

/** The files of the page. They load nothing from other hosts, and work under any path. */
export const files: readonly string[] = ['index.html', 'page.js', 'worker.js', 'report.js', 'LICENSES.txt'];

/** Copies the page to a folder, for any file server. @throws ParanoiaError `page-folder` */
export function copyPage(to: string): void {
  try {
    mkdirSync(to, { recursive: true });
    // The file that loads the others is copied last: a folder that has it is complete.
    for (const name of [...files].reverse()) copyFileSync(join(folder, name), join(to, name));
  } catch (error) {
    throw pageFolder({ path: to, why: fileReason(error) }, error);
  }
}
