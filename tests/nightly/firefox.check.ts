import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { examples } from '../../src/web/examples.ts';
import { NEVER, SOFTWARE_GPU, startChromium } from '../support/chromium.ts';
import { type FirefoxPage, openInFirefox } from '../support/firefox.ts';
import { itWith } from '../support/needs.ts';
import { type Host, hostPage } from '../support/served.ts';

/** The folder for screenshots; unset to take none. */
const { SCREENSHOTS } = process.env;

const it = itWith('firefox');

let [host, browser]: [Host, Browser] = [] as never;
beforeAll(async () => {
  host = await hostPage();
  browser = await startChromium(SOFTWARE_GPU);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
});

/** A page in either browser. */
type Driven = Pick<FirefoxPage, 'evaluate' | 'click'>;

/** Waits until the page is idle. */
const ended = (page: Driven) =>
  expect
    .poll(() => page.evaluate(`document.querySelector('#stop').disabled`), { timeout: NEVER, interval: 300 })
    .toBe(true);

/** The page's statements about the GPU, without times and names of browsers. */
const FOUND = `(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  const heads = texts('.top h1, .top .lead');
  return { heads, arithmetic: texts('#arithmetic dl > *'), kernels: texts('#kernels td') };
})()`;

async function judged(page: Driven): Promise<unknown> {
  await page.click('#start');
  await ended(page);
  expect(await page.evaluate(`document.querySelector('#doing').textContent`)).toBe('Done.');
  return page.evaluate(FOUND);
}

it('finds in Firefox what it finds in Chromium, on the same adapter', async () => {
  const chromium = await browser.newPage();
  chromium.setDefaultTimeout(NEVER);
  await chromium.goto(host.url);
  const inChromium = await judged(chromium);
  const page = await openInFirefox(host.url);
  try {
    expect(await judged(page)).toEqual(inChromium);
    expect(inChromium).toMatchObject({ heads: ['✓ pass', 'All 189 cases passed.'] });
    for (const width of SCREENSHOTS === undefined ? [] : [1280, 400])
      writeFileSync(join(SCREENSHOTS as string, `firefox-${width}.png`), await page.screenshot(width));
    await page.evaluate(`document.querySelector('#own').open = true`);
    const broken = examples[0].source.replace('var sum = 0.0;', 'var sum = 0.0 +;');
    await page.evaluate(`(document.querySelector('#source').value = ${JSON.stringify(broken)})`);
    await page.click('#judge');
    await ended(page);
    const complaint = (await page.evaluate(`document.querySelector('#complaints li').textContent`)) as string;
    // The compiler's marked source line is removed, since the page shows it.
    expect(complaint).toMatch(/^Line 20, column 18: Shader .* expected expression, found ";" {2}var sum/);
  } finally {
    await page.close();
  }
});
