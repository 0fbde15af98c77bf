import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildAtlas } from '../../src/atlas/node/build.ts';
import { NEVER, startChromium } from '../support/chromium.ts';
import { LEAST_CONTRAST } from '../support/contrast.ts';
import { itWith } from '../support/needs.ts';

const it = itWith('chromium');

const folder = mkdtempSync(join(tmpdir(), 'atlas-browser-'));
/** The folder for screenshots; unset to take none. */
const { SCREENSHOTS } = process.env;
let browser: Browser;
let complaints: string[] = [];

buildAtlas(fileURLToPath(new URL('../../reports/atlas/entries', import.meta.url)), folder);
/** One page of each kind; SwiftShader's are the longest. */
const files = {
  index: 'index.html',
  device: pageOf('device-swiftshader'),
  kernel: pageOf('kernel-tfjs-webgpu'),
};

function pageOf(start: string): string {
  const [file] = readdirSync(folder).filter((name) => name.startsWith(start));
  return file;
}

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  expect(complaints).toEqual([]);
  complaints = [];
});

async function open(options: BrowserContextOptions = {}, at = 'index.html'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(NEVER);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  const [file, rest = ''] = at.split(/(?=[?#])/);
  await page.goto(pathToFileURL(join(folder, file)).href + rest);
  return page;
}

/** Visible rows of the unfolded list. */
const rows = (page: Page) => page.locator('#cell-table tbody tr:not([hidden])');
const links = (page: Page) => page.locator('.matrix a[data-cell]:visible');

it('filters list and grid together, and says so in its address', async () => {
  const page = await open();
  const all = await rows(page).count();
  expect([all > 100, await links(page).count()]).toEqual([true, all]);
  expect(await page.locator('#cell-table').isVisible()).toBe(false);
  await page.selectOption('[name=verdict]', 'fail');
  expect(await page.locator('#cell-table').isVisible()).toBe(true);
  const failing = await rows(page).count();
  expect([failing > 5 && failing < all / 2, await links(page).count()]).toEqual([true, failing]);
  expect(await page.textContent('#filters output')).toBe(`${failing} of ${all} shown`);
  expect(new URL(page.url()).search).toBe('?verdict=fail');
  expect(await page.locator('#failing tbody tr:visible').count()).toBe(failing);
  await page.fill('[name=text]', 'tfjs webgpu');
  expect(await rows(page).count()).toBe(2);
  expect(await page.locator('#failing tbody tr:visible').count()).toBe(2);
  expect(await page.locator('.matrix thead th:visible').count()).toBe(3);
  const again = await open({}, `index.html${new URL(page.url()).search}`);
  expect(await rows(again).count()).toBe(2);
  expect(await again.inputValue('[name=text]')).toBe('tfjs webgpu');
  await again.getByRole('button', { name: 'Show all' }).click();
  await again.waitForFunction(`document.querySelector('#filters output').textContent.startsWith('${all} ')`);
  expect(new URL(again.url()).search).toBe('');
});

it('shows that a value which is in no list finds nothing', async () => {
  const page = await open({}, 'index.html?kernel=%3Cb%3Egone');
  expect(await rows(page).count()).toBe(0);
  expect(await page.inputValue('[name=kernel]')).toBe('<b>gone');
  expect(await page.locator('.matrix:visible').count()).toBe(0);
});

it('finds what has a finding of a kind', async () => {
  const page = await open();
  await page.selectOption('[name=finding]', 'disproved claim');
  expect(await rows(page).locator('td:first-child').allTextContents()).toEqual([
    'tf32-as-f32',
    'tfjs:webgpu',
  ]);
});

it('leads from the grid to all that is known, by a link that opens it', async () => {
  const page = await open();
  const link = page.locator('.matrix a[data-cell^="classical-naive"]').first();
  const href = await link.getAttribute('href');
  await link.click();
  await page.waitForURL(`**/${href}`);
  const cell = page.locator(`section[id="${href?.split('#')[1]}"]`);
  await cell.locator('dl').waitFor();
  expect(await page.locator('section.of-cell dl:visible').count()).toBeLessThan(10);
  await page.goBack();
  expect(await links(page).count()).toBeGreaterThan(100);
});

it('opens what a link leads to, however it is folded', async () => {
  const page = await open();
  const href = await page.locator('.matrix td a[data-cell^="strassen-tiled"]').last().getAttribute('href');
  const from = await open({}, href ?? '');
  const cell = from.locator(`section[id="${href?.split('#')[1]}"]`);
  expect(await cell.locator('dl').isVisible()).toBe(true);
  const { y = Number.NaN } = (await cell.boundingBox()) ?? {};
  expect(y >= 0 && y < 900).toBe(true);
});

it.each([1280, 400])(
  'is a few screens long in a window %i wide, however many runs there are',
  async (width) => {
    for (const file of [files.index, files.device]) {
      const page = await open({ viewport: { width, height: 900 } }, file);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5 * 900);
    }
  },
);

it('tells what changed between drivers', async () => {
  const first = await open();
  await first.locator('#device-table a[href*="#from-"]').first().click();
  await first.locator('h3:target').waitFor();
  const page = await open({}, files.device);
  const text = await page.locator('#changes').innerText();
  expect(text).toMatch(/chromium 140\.0\.0/);
  expect(text).toMatch(/chromium 147\.0\.0/);
});

it('has the data beside it', async () => {
  const page = await open();
  const hrefs = await page
    .locator('#runs a[href^="entries/"]')
    .evaluateAll((all) => all.map((link) => decodeURIComponent(link.getAttribute('href') ?? '')));
  expect(new Set(hrefs)).toEqual(
    new Set(readdirSync(join(folder, 'entries')).map((name) => `entries/${name}`)),
  );
});

const looks = Object.keys(files).flatMap((name) =>
  ([1280, 400] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [name as keyof typeof files, width, scheme] as const),
  ),
);

it.each(looks)('%s fits a window %i wide and is readable in %s', async (name, width, colorScheme) => {
  const page = await open({ viewport: { width, height: 900 }, colorScheme }, files[name]);
  if (SCREENSHOTS !== undefined) {
    await page.screenshot({
      path: join(SCREENSHOTS, `atlas-${name}-${width}-${colorScheme}.png`),
      fullPage: true,
    });
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
  const { ratio, text } = (await page.evaluate(LEAST_CONTRAST)) as { ratio: number; text: string };
  expect(ratio, text).toBeGreaterThan(4.5);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

it.each(Object.keys(files) as (keyof typeof files)[])(
  '%s can be read by ears: landmarks, headings in order, names of all',
  async (name) => {
    const page = await open({}, files[name]);
    const headings = await page
      .locator('h1, h2, h3')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    expect(headings[0]).toBe(1);
    expect(headings.filter((level, at) => at > 0 && level > headings[at - 1] + 1)).toEqual([]);
    for (const landmark of ['banner', 'navigation', 'main'] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1);
    }
    expect(await page.locator('table:not(:has(caption)), .matrix td a:not([aria-label])').count()).toBe(0);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip:focus').count()).toBe(1);
  },
);

it('shows everything without script', async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await page.locator('#filters').isVisible()).toBe(false);
  expect(await links(page).count()).toBeGreaterThan(100);
  await page.locator('#cells summary').click();
  expect(await page.locator('#cell-table tbody tr:visible').count()).toBeGreaterThan(100);
});
