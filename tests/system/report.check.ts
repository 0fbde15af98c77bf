import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { inShort, isWhole } from '../../src/base/in-short.testing.ts';
import { htmlReport } from '../../src/pages/html/page.ts';
import { writeHtmlReport } from '../../src/pages/node/write-html.ts';
import { NEVER, startChromium } from '../support/chromium.ts';
import { LEAST_CONTRAST } from '../support/contrast.ts';
import { five } from '../support/five.ts';
import { itWith } from '../support/needs.ts';
import { syntheticResults } from '../support/synthetic.ts';

const it = itWith('chromium');
const itWhole = itWith('chromium', isWhole);

const results = syntheticResults();
const folder = mkdtempSync(join(tmpdir(), 'report-browser-'));
/** The folder for screenshots; unset to take none. */
const { SCREENSHOTS } = process.env;
let browser: Browser;
let complaints: string[] = [];

beforeAll(async () => {
  browser = await startChromium();
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  await writeHtmlReport({ results: join(folder, 'results.json'), against: join(folder, 'results.json') });
  for (const [name, make] of Object.entries(five)) {
    writeFileSync(join(folder, `${name}.html`), htmlReport(make(), { raw: 'results.json' }));
  }
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  expect(complaints).toEqual([]);
  complaints = [];
});

async function open(options: BrowserContextOptions = {}, file = 'report.html'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(NEVER);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(pathToFileURL(join(folder, file)).href);
  return page;
}

const ROWS = '#case-table tr[id]';
const shownRows = (page: Page) => page.locator(`${ROWS}:visible`).count();
const unfold = (page: Page) => page.locator('#cases summary').click();

it('draws every figure with all its marks', async () => {
  const page = await open();
  const count = (selector: string) => page.locator(selector).count();
  // 3 algorithms, 4 levels and 4 sizes of 2 inputs, largest and mean; zeros and infinities have other marks.
  expect(await count('#size .panel')).toBe(2 * 2 * 4);
  expect(await count('#size .panel use:not(.cross)')).toBe(2 * 2 * 3 * 4 * 4 + 4);
  expect(await count('#size .panel .lane')).toBe(2 * 2 * 4);
  // Without recursion, bounds and expected errors are the same for all algorithms: one line.
  expect(await count('#size .panel .dotted')).toBe(2 * (3 * 3 + 1));
  expect(await count('#size .panel .dashed')).toBe(2 * (3 * 3 + 1));
  // Levels 0 to 3 of Figures 30 and 31 without those at 4 levels, and 2 of the study.
  expect(await count('#size .panel .cross')).toBe(2 * (4 + 3 + 3 + 3 + 3) + 2);
  expect(await count('#levels .panel use')).toBe(2 * 2 * 3 * 4);
  expect(await count('#maps .panel image')).toBe(2 * 4);
  expect(await count('#maps .ring')).toBe(4);
  const [{ counts }] = results.cases.flatMap(({ histogram }) => histogram ?? []);
  expect(await count('#histograms .bins path')).toBe(6 * counts.filter((bin) => bin > 0).length);
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
  expect(await shownRows(page)).toBe(0);
  await unfold(page);
  expect(await shownRows(page)).toBe(900);
  await page.selectOption('#filters [name=verdict]', 'fail');
  expect(await shownRows(page)).toBe(3);
  expect(await page.locator('#case-table .more:visible').count()).toBe(3);
  await page.selectOption('#filters [name=verdict]', '');
  await page.selectOption('#filters [name=input]', 'inverse-pair');
  await page.selectOption('#filters [name=kernel]', 'winograd:register');
  expect(await shownRows(page)).toBe(48);
  expect(await page.locator('#case-table .of:visible').count()).toBe(1);
  await page.fill('#filters [name=text]', '256×256×256 pass');
  expect(await shownRows(page)).toBe(12);
  expect(await page.textContent('#filters output')).toBe('12 of 900 shown');
});

it('gives the command that repeats a case', async () => {
  const page = await open();
  await unfold(page);
  const places = [0, 40, 300, results.cases.findIndex(({ precision }) => precision === 'f16')];
  for (const at of places) {
    await page.locator(`#c${at}`).click();
    expect(await page.textContent('#case p code')).toBe(results.cases[at].replay);
    await page.keyboard.press('Escape');
    expect(await page.locator('#case').isVisible()).toBe(false);
  }
});

itWhole(
  'opens a case from the grid, and leads from it to the others of the cell, by keys alone',
  async () => {
    const page = await open({}, 'bug.html');
    const cells = page.locator('.shapes a');
    expect(await page.locator('.shapes a[tabindex="0"], .shapes a:not([tabindex])').count()).toBe(1);
    await cells.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.shapes a:focus').count()).toBe(1);
    expect(await cells.first().and(page.locator(':focus')).count()).toBe(0);
    await page.locator('.shapes a.fail[data-more]').first().focus();
    expect(await page.textContent('#tip')).toMatch(
      /^[≤>] \d+, [a-z ]+, [a-z-]+: \d+ of \d+ fail \(running-bound, sigma\)$/,
    );
    await page.keyboard.press('Enter');
    expect(await page.textContent('#case h2')).toBe('fail: mine');
    const first = await page.textContent('#case p code');
    await page.getByRole('button', { name: 'next' }).press('Enter');
    expect(await page.textContent('#case p code')).not.toBe(first);
    await page.keyboard.press('Escape');
    expect(await page.locator('.shapes a.fail[data-more]:focus').count()).toBe(1);
  },
);

it('names what fails, with its pictures, before anything else', async () => {
  const page = await open({}, 'three.html');
  const box = await page.locator('.failure .heats').first().boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(900);
  expect(await page.textContent('.failure h3')).toMatch(/^simd-unrolled: .* odd k.*$/);
  expect(await page.locator('.failure .heat img').count()).toBe(4);
  expect(await page.locator('.kernels .name').allTextContents()).toEqual([
    'simd-unrolled',
    'mine',
    'f64-sums',
  ]);
});

itWhole('shows and hides series and references', async () => {
  const page = await open();
  const figure = page.locator('#size .figure').first();
  const marks = figure.locator('.panel .a1 use:visible');
  const before = await marks.count();
  await figure.getByRole('button', { name: 'strassen' }).click();
  expect([before > 0, await marks.count()]).toEqual([true, 0]);
  await figure.getByRole('button', { name: 'strassen' }).click();
  expect(await marks.count()).toBe(before);
  await figure.getByRole('button', { name: 'running bound' }).click();
  expect(await figure.locator('.panel .dashed:visible').count()).toBe(0);
});

itWhole('says the value of a mark that is pointed at', async () => {
  const page = await open();
  await page.locator('#size .panel use').nth(20).hover();
  expect(await page.textContent('#tip')).toMatch(/^\w+, n = \d+: \d\.\d\de-\d+ \(mean of 3, /);
  // A vertical line has no width, so hover() takes it for invisible.
  const bar = page.locator('#histograms .bins path').nth(12);
  await bar.dispatchEvent('pointerover');
  expect(await page.textContent('#tip')).toMatch(/^-?[\d.]+ to -?[\d.]+ σ: \d+$/);
});

/** The tallest allowed page in pixels, by width. */
const TALLEST = { 1280: 7000, 400: 12_000 } as const;

const looks = [...Object.keys(five), 'report'].flatMap((name) =>
  ([1280, 400] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [name, width, scheme] as const),
  ),
);

it.each(inShort(looks, 12))(
  '%s fits a window %i wide and is readable in %s',
  async (name, width, colorScheme) => {
    const page = await open({ viewport: { width, height: 900 }, colorScheme }, `${name}.html`);
    const [wide, tall] = (await page.evaluate(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    )) as number[];
    if (SCREENSHOTS !== undefined) {
      await page.screenshot({
        path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
    expect(wide).toBeLessThanOrEqual(width);
    if (name !== 'report') expect(tall).toBeLessThan(TALLEST[width]);
    await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    const { ratio, text } = (await page.evaluate(LEAST_CONTRAST)) as { ratio: number; text: string };
    expect(ratio, text).toBeGreaterThan(4.5);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  },
);

itWhole.each(Object.keys(five))(
  '%s can be read by ears: landmarks, headings in order, names of all',
  async (name) => {
    const page = await open({}, `${name}.html`);
    const headings = await page
      .locator('h1, h2, h3')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    expect(headings[0]).toBe(1);
    expect(headings.filter((level, at) => at > 0 && level > headings[at - 1] + 1)).toEqual([]);
    for (const landmark of ['banner', 'navigation', 'main'] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1);
    }
    const nameless =
      'table:not(:has(caption)), img:not([alt]), svg[role=img]:not([aria-label]), .shapes td>:not([aria-label])';
    expect(await page.locator(nameless).count()).toBe(0);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    // The first tab stop skips to the results.
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip:focus').count()).toBe(1);
  },
);

itWhole('prints every part without its controls', async () => {
  const page = await open({}, 'bug.html');
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('nav, button.copy').filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('.failure, .shapes').first().isVisible()).toBe(true);
});

itWhole('shows the whole table and every figure without script', async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.locator('#cases summary').click();
  expect(await shownRows(page)).toBe(900);
  expect(await page.locator('#filters').isVisible()).toBe(false);
  expect(await page.locator('#size .panel svg').first().isVisible()).toBe(true);
});
