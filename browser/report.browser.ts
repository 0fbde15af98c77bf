import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeHtmlReport } from '../src/pages/node/write-html.ts';
import { startChromium } from './chromium.ts';
import { LEAST_CONTRAST } from './contrast.ts';
import { syntheticResults } from './synthetic.ts';

const results = syntheticResults();
const folder = mkdtempSync(join(tmpdir(), 'report-browser-'));
let browser: Browser;
let complaints: string[] = [];

beforeAll(async () => {
  browser = await startChromium();
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  await writeHtmlReport({ results: join(folder, 'results.json'), against: join(folder, 'results.json') });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  expect(complaints).toEqual([]);
  complaints = [];
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  return page;
}

const shownRows = (page: Page) => page.locator('#case-table tbody tr:not(.more):visible').count();

it('draws every figure with all its marks', async () => {
  const page = await open();
  const count = (selector: string) => page.locator(selector).count();
  // 3 algorithms, 4 levels and 4 sizes of 2 inputs, largest and mean; a zero and an infinity have marks of their own.
  expect(await count('#size .panel')).toBe(2 * 2 * 4);
  expect(await count('#size .panel use:not(.cross)')).toBe(2 * 2 * 3 * 4 * 4 + 4);
  expect(await count('#size .panel .lane')).toBe(2 * 2 * 4);
  expect(await count('#size .panel .dotted')).toBe(2 * 4 * 3);
  expect(await count('#size .panel .dashed')).toBe(2 * 4 * 3);
  expect(await count('#size .panel .dash-dotted')).toBe(2 * 4 * 3);
  // Levels 0 to 3 of Figures 30 and 31 without those at 4 levels, and 2 of the study.
  expect(await count('#size .panel .cross')).toBe(2 * (4 + 3 + 3 + 3 + 3) + 2);
  expect(await count('#levels .panel use')).toBe(2 * 2 * 3 * 4);
  expect(await count('#maps image')).toBe(2 * results.cases.filter(({ errorMap }) => errorMap).length);
  expect(await count('#maps .ring')).toBe(await count('#maps .panel'));
  const bins = results.cases.flatMap(({ histogram }) => histogram?.counts.filter((bin) => bin > 0) ?? []);
  expect(await count('#histograms .bins path')).toBe(bins.length);
  expect(await count('#speed .panel use')).toBe(3 * 3 * 3);
  const drawn = await page
    .locator('svg :is(path, use, rect, image)')
    .evaluateAll((marks) => marks.map((mark) => (mark.cloneNode(false) as typeof mark).outerHTML));
  expect(drawn.filter((mark) => /NaN|undefined|Infinity/.test(mark))).toEqual([]);
  const decoded = await page.locator('#maps image').evaluateAll((images) =>
    Promise.all(
      images.map(async (image) => {
        const picture = new (
          globalThis as unknown as { Image: new () => { src: string; decode(): Promise<void> } }
        ).Image();
        picture.src = image.getAttribute('href') ?? '';
        return picture.decode().then(() => true);
      }),
    ),
  );
  expect(decoded.every(Boolean)).toBe(true);
});

it('filters the cases and says how many are shown', async () => {
  const page = await open();
  expect(await shownRows(page)).toBe(900);
  await page.selectOption('#filters [name=verdict]', 'fail');
  expect(await shownRows(page)).toBe(3);
  expect(await page.locator('#case-table .more:visible').count()).toBe(3);
  await page.selectOption('#filters [name=verdict]', '');
  await page.selectOption('#filters [name=input]', 'inverse-pair');
  await page.selectOption('#filters [name=kernel]', { label: 'winograd' });
  expect(await shownRows(page)).toBe(48);
  await page.fill('#filters [name=text]', '256×256×256 pass');
  expect(await shownRows(page)).toBe(12);
  expect(await page.textContent('#filters output')).toBe('12 of 900 shown');
});

it('gives the command that repeats a case', async () => {
  const page = await open();
  const f16 = results.cases.find(({ precision }) => precision === 'f16');
  for (const result of [results.cases[40], f16]) {
    const {
      kernel = '',
      m = 0,
      k = 0,
      n = 0,
      seed = 0,
      levels = 0,
      input = '',
      precision = '',
    } = result ?? {};
    const cells = [kernel, levels, input, precision, `${m}×${k}×${n}`, 'pad', 'mask', seed].join('');
    await page
      .locator('#case-table tbody tr')
      .filter({ hasText: `pass${cells}` })
      .first()
      .click();
    expect(await page.textContent('#replay code')).toBe(result?.replay);
  }
});

it('shows and hides series and references', async () => {
  const page = await open();
  const figure = page.locator('#size .figure').first();
  const marks = figure.locator('.panel .a1 use:visible');
  const before = await marks.count();
  await figure.getByRole('button', { name: 'strassen' }).click();
  expect([before > 0, await marks.count()]).toEqual([true, 0]);
  await figure.getByRole('button', { name: 'strassen' }).click();
  expect(await marks.count()).toBe(before);
  await figure.getByRole('button', { name: 'a-priori' }).click();
  expect(await figure.locator('.panel .dash-dotted:visible').count()).toBe(0);
});

it('says the value of a mark that is pointed at', async () => {
  const page = await open();
  await page.locator('#size .panel use').nth(20).hover();
  expect(await page.textContent('#tip')).toMatch(/^\w+, n = \d+: \d\.\d\de-\d+ \(mean of 3, /);
  // A line straight up has no width, and so counts as invisible for hover().
  const bar = page.locator('#histograms .bins path').nth(24);
  await bar.dispatchEvent('pointerover');
  expect(await page.textContent('#tip')).toMatch(/^-?[\d.]+ to -?[\d.]+ σ: \d+$/);
});

it.each([
  [390, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)('fits a window %i wide and is readable in %s', async (width, colorScheme) => {
  const page = await open({ viewport: { width, height: 900 }, colorScheme });
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(width);
  const { ratio, text } = (await page.evaluate(LEAST_CONTRAST)) as { ratio: number; text: string };
  expect(ratio, text).toBeGreaterThan(4.5);
});

it('shows the whole table and every figure without script', async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await shownRows(page)).toBe(900);
  expect(await page.locator('#filters').isVisible()).toBe(false);
  expect(await page.locator('#size .panel svg').first().isVisible()).toBe(true);
});
