import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { files, folder, servePage } from '../../web/node/serve.ts';

import { runPage } from './page.ts';

let own: string;
beforeAll(() => {
  own = mkdtempSync(join(tmpdir(), 'page-'));
});
afterAll(() => rmSync(own, { recursive: true }));

it('writes its files, which are all that any server of files needs', async () => {
  const written: string[] = [];
  const out = join(own, 'some/folder');
  expect(await runPage({ out }, { write: (text) => written.push(text) })).toBe(0);
  expect(written).toEqual([`Wrote ${join(out, 'index.html')}\n`]);
  expect(readdirSync(out).sort()).toEqual([...files].sort());
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  const loaded = [...index.matchAll(/\b(?:src|href)="(?!#)(.*?)"/g)].map(([, address]) => address);
  expect(loaded).toEqual(['./page.js']);
  const scripts = files
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(out, name), 'utf8'));
  expect(scripts.join('').match(/\bhttps?:\/\/(?!www\.w3\.org\/)[\w.]+/g) ?? []).toEqual([]);
  expect(readFileSync(join(out, 'LICENSES.txt'), 'utf8')).toMatch(/zod \d.*MIT License/s);
});

it('says in a sentence why it cannot be written or served', async () => {
  writeFileSync(join(own, 'file'), '');
  await expect(runPage({ out: join(own, 'file') }, { write: () => {} })).rejects.toThrow(
    /^Cannot write the page to .*Give --out/,
  );
  const taken = createServer().listen(0, 'localhost');
  await new Promise((listening) => taken.once('listening', listening));
  const { port } = taken.address() as AddressInfo;
  await expect(servePage(port)).rejects.toThrow(`Cannot serve the page on port ${port}: `);
  taken.close();
});

it('serves its files and nothing else, to readers alone', async () => {
  const { url, server } = await servePage(0);
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(url + path, { method });
    return [answer.status, (await answer.text()).length > 0] as const;
  };
  expect(await ask('')).toEqual([200, true]);
  expect(await (await fetch(`${url}page.js`)).text()).toBe(readFileSync(join(folder, 'page.js'), 'utf8'));
  expect(await ask('page.js', 'HEAD')).toEqual([200, false]);
  for (const path of ['nothing', '..%2Fcli/main.js', '%2e%2e/package.json', 'worker.js/', '%00']) {
    expect(await ask(path)).toEqual([404, true]);
  }
  expect(await ask('', 'POST')).toEqual([405, true]);
  server.closeAllConnections();
  server.close();
});

/** The status line of a server's answer to raw bytes; empty if it closes the connection. */
function statusOf(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, 'localhost', () => socket.write(request, 'latin1'));
    socket.on('data', (part) => {
      said += part;
    });
    socket.on('error', () => undefined).on('close', () => resolve(said.split('\r\n')[0]));
  });
}

it.each<[string, string]>([
  ['GET //', '400'],
  ['GET //[', '400'],
  ['GET http://', '400'],
  ['GET *', '404'],
  ['OPTIONS *', '405'],
  ['GET /%', '404'],
  ['GET /?a#b', '200'],
  ['G\xffT /', '400'],
])('answers "%s" with %s and goes on', async (line, status) => {
  const { server } = await servePage(0);
  const { port } = server.address() as AddressInfo;
  const request = `${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;
  expect(await statusOf(port, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(await statusOf(port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/ 200 OK$/);
  server.closeAllConnections();
  server.close();
});
