import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { NEVER, SOFTWARE_GPU, startChromium } from '../support/chromium.ts';
import { itWith } from '../support/needs.ts';
import { type Host, hostFolder } from '../support/served.ts';

const it = itWith('chromium');
const itWhole = itWith('chromium', isWhole);

/** The page of docs/how-to/pages.md runs as written, without a bundler. */

const root = join(import.meta.dirname, '../..');
let [folder, host, browser]: [string, Host, Browser] = [] as never;

/** The files in the document, by name. */
function shown(): Map<string, string> {
  const text = readFileSync(join(root, 'docs/how-to/pages.md'), 'utf8');
  const blocks = text.matchAll(/<!-- file (\S+) -->\n```js\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name, code]) => [name, code]));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gate-in-page-'));
  cpSync(join(root, 'dist/browser'), join(folder, 'gemm'), { recursive: true });
  cpSync(join(root, 'share/templates/wgsl/matmul.wgsl'), join(folder, 'matmul.wgsl'));
  for (const [name, code] of shown()) {
    // Few sizes, so that the machine's speed does not matter.
    const few = code.replace('{ kernels, onCase', '{ kernels, sizes: [1, 17, 64], replicates: 1, onCase');
    writeFileSync(join(folder, name), few.replace("'gemm-paranoia'", "'./gemm/gate.js'"));
  }
  const body = '<button>Start</button><button>Stop</button><progress></progress><output></output>';
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>${body}<script type="module" src="page.js"></script>`,
  );
  host = await hostFolder(folder);
  browser = await startChromium(SOFTWARE_GPU);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
  rmSync(folder, { recursive: true });
});

async function open(loaded: string[] = []): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(NEVER);
  page.on('request', (request) => loaded.push(request.url().slice(host.url.length)));
  await page.goto(host.url);
  return page;
}
const said = async (page: Page) => {
  await page.locator('output:not(:empty)').waitFor({ timeout: NEVER });
  return page.textContent('output');
};

it('takes twenty lines', () => {
  const files = shown();
  expect([...files.keys()]).toEqual(['worker.js', 'page.js', 'kernels.js']);
  const lines = ['worker.js', 'page.js'].map((name) => files.get(name)?.trim().split('\n').length ?? 0);
  expect(lines[0] + lines[1]).toBeLessThanOrEqual(24);
});

it('judges a function and a shader, and loads what that takes, once', async () => {
  const loaded: string[] = [];
  const page = await open(loaded);
  await page.click('button');
  expect(await said(page)).toMatch(/^pass: All \d+ cases passed\.$/);
  expect(await page.evaluate('document.querySelector("progress").value > 20')).toBe(true);
  const chunks = loaded.filter((name) => name.startsWith('gemm/')).sort();
  expect(new Set(chunks).size).toBe(chunks.length);
  for (const needed of ['core', 'probe', 'open-on-gpu', 'judge-by'])
    expect(chunks).toContain(`gemm/${needed}.js`);
  for (const spared of ['index', 'builtin', 'faults', 'exact-on-gpu', 'group-failures'])
    expect(chunks).not.toContain(`gemm/${spared}.js`);
});

itWhole('ends when it is told to, and begins again', async () => {
  const page = await open();
  await page.click('button');
  await page.locator('progress[value]').waitFor({ timeout: NEVER });
  await page.click('button:nth-of-type(2)');
  expect(await said(page)).toMatch(/^inconclusive: /);
  await page.evaluate('document.querySelector("output").value = ""');
  await page.click('button');
  expect(await said(page)).toMatch(/^pass: /);
});

itWhole('keeps what is judged where the network is gone by then', async () => {
  const page = await open();
  await page.context().route('**/gemm/judge-by.js', (route) => route.abort());
  await page.click('button');
  expect(await said(page)).toMatch(
    /^inconclusive: .*Cannot load the part of gemm-paranoia that inspects kernels: .*network/,
  );
});
