import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { readResults } from '../../src/pages/read-results.ts';
import { NEVER, SOFTWARE_GPU, startChromium } from '../support/chromium.ts';
import { LEAST_CONTRAST } from '../support/contrast.ts';
import { itWith } from '../support/needs.ts';
import { type Host, hostPage } from '../support/served.ts';
import { syntheticResults } from '../support/synthetic.ts';

const it = itWith('chromium');
const itWhole = itWith('chromium', isWhole);

/** The folder for screenshots; unset to take none. */
const { SCREENSHOTS } = process.env;

let [host, browser]: [Host, Browser] = [] as never;
let complaints: string[] = [];

beforeAll(async () => {
  host = await hostPage();
  browser = await startChromium(SOFTWARE_GPU);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
});
afterEach(() => {
  expect(complaints).toEqual([]);
  complaints = [];
});

/** A script for the worker: fixes the date from which seeds are made. */
const FIXED_DAY = `{
  const day = new Date('2026-11-26T12:00:00Z').getTime();
  self.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [day] : given));
    }
    static now = () => day;
  };
}
`;

/**
 * A script for the worker: each reading of the clock advances it by some milliseconds. A budget then allows the same number of
 * readings on any machine: at one millisecond about 200 cases, where 66 suffice to pass.
 */
const clockOfLooks = (milliseconds: number) => `{
  let now = 0;
  performance.now = () => (now += ${milliseconds});
}
`;

async function open(fragment = '', { from = browser, worker = '' } = {}): Promise<Page> {
  const context = await from.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(NEVER);
  await context.route('**/worker.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: FIXED_DAY + worker + (await response.text()) });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(host.url + fragment);
  return page;
}

/** Waits until no task is in progress. */
const ended = (page: Page) => page.locator('#stop:disabled').waitFor({ timeout: NEVER });

/** Waits until the page names a task in progress. */
const says = (page: Page, text: RegExp) =>
  page.locator('#doing', { hasText: text }).waitFor({ timeout: NEVER });

async function judge(page: Page, source: string): Promise<void> {
  const own = page.locator('#own');
  if ((await own.getAttribute('open')) === null) await own.locator('summary').click();
  await page.fill('#source', source);
  await page.click('#judge');
  await ended(page);
}

const WRONG = 1;
/** The source of an example. */
async function example(page: Page, which: number): Promise<string> {
  await page.locator('#own summary').click();
  await page.selectOption('#example', String(which));
  return page.inputValue('#source');
}

async function kept(page: Page): Promise<{ file: string; link: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
  await page.click('#link');
  await page.locator('#kept:not(:empty)').waitFor();
  const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
  return { file: readFileSync(await download.path(), 'utf8'), link };
}

/** Checks the page's appearance in every size and color scheme. */
async function looks(page: Page, name: string): Promise<void> {
  for (const width of [1280, 400] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      if (SCREENSHOTS !== undefined) {
        await page.screenshot({
          path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const { ratio, text } = (await page.evaluate(LEAST_CONTRAST)) as { ratio: number; text: string };
      expect(ratio, `${name}, ${width}, ${colorScheme}: ${text}`).toBeGreaterThan(4.5);
    }
  }
  const headings = await page
    .locator('h1, h2, h3')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(headings[0]).toBe(1);
  expect(headings.filter((level, at) => at > 0 && level > headings[at - 1] + 1)).toEqual([]);
  const nameless =
    'table:not(:has(caption)):not([role]), img:not([alt]), svg[role=img]:not([aria-label]), textarea:not([id], label *), select:not([id], label *)';
  expect(
    await page.locator(nameless).evaluateAll((all) => all.map(({ outerHTML }) => outerHTML.slice(0, 80))),
  ).toEqual([]);
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  for (const landmark of ['banner', 'main'] as const) expect(await page.getByRole(landmark).count()).toBe(1);
}

/** Records announcements for screen readers. */
const LISTEN = `globalThis.heardTexts = [];
new MutationObserver(() => heardTexts.push(document.querySelector('[role=status]').textContent)).observe(
  document.querySelector('[role=status]'), { childList: true, characterData: true, subtree: true })`;
/** Announcements without immediate repetitions. */
const heard = (texts: unknown) => (texts as string[]).filter((text, at, all) => text !== all[at - 1]);

it('judges the GPU, says how it computes and how fast it is, and gives it all as a file and a link', async () => {
  const page = await open();
  await looks(page, 'page-before');
  await page.evaluate(LISTEN);
  await page.click('#start');
  await says(page, /Judging/);
  expect(await page.locator('#arithmetic dt').allTextContents()).toContain('fma rounds');
  await ended(page);
  expect(await page.textContent('#doing')).toBe('Done.');
  expect(heard(await page.evaluate('heardTexts'))).toEqual([
    ...['Opening the GPU', 'Probing the arithmetic of the GPU', 'Judging: 0 %', 'Judging: 25 %'],
    ...['Judging: 50 %', 'Judging: 75 %', 'Judging: 100 %', 'Timing: 0 %', 'Timing: 25 %', 'Timing: 50 %'],
    ...['Timing: 75 %', 'Done. ✓ pass: All 189 cases passed.'],
  ]);
  expect(await page.locator('.top.pass').count()).toBe(1);
  expect(await page.locator('#size .panel use').count()).toBeGreaterThan(10);
  expect(await page.locator('#speeds .panel use').count()).toBeGreaterThan(4);
  await looks(page, 'page-passed');
  const { file, link } = await kept(page);
  const results = readResults(file);
  expect([results.verdict, results.cases.length, results.probe?.length]).toEqual([
    'pass',
    results.summary.planned,
    await page.locator('#arithmetic tbody tr').count(),
  ]);
  expect(link.length).toBeLessThan(16_000 + host.url.length);

  const elsewhere = await open(link.slice(link.indexOf('#')));
  await ended(elsewhere);
  expect(await elsewhere.textContent('.top h1')).toBe(await page.textContent('.top h1'));
  expect(await elsewhere.textContent('.top .lead')).toBe(await page.textContent('.top .lead'));
  expect(await elsewhere.locator('#speeds .panel use').count()).toBe(
    await page.locator('#speeds .panel use').count(),
  );
  expect(await elsewhere.textContent('.top .unsure')).toMatch(/anyone may have written/);
});

it('fails a wrong kernel with pictures of what is wrong', async () => {
  const page = await open('', { worker: clockOfLooks(4) });
  await judge(page, await example(page, WRONG));
  expect(await page.textContent('.top h1')).toMatch(/fail/);
  expect(await page.textContent('.failure h3')).toMatch(/k no multiple of 4|k ≢ 0 mod 4|k /);
  expect(await page.locator('.failure .heat img').count()).toBeGreaterThanOrEqual(4);
  expect(await page.textContent('.failure .command code')).toMatch(
    /^npx gemm-paranoia gate kernel\.wgsl --case 'kernel=kernel\.wgsl;/,
  );
  await looks(page, 'page-failed');
  const { link } = await kept(page);
  const elsewhere = await open(link.slice(link.indexOf('#')));
  await ended(elsewhere);
  expect(await elsewhere.locator('.failure .heat img').count()).toBe(
    await page.locator('.failure .heat img').count(),
  );
  expect(await elsewhere.textContent('.failure h3')).toBe(await page.textContent('.failure h3'));
});

itWhole('passes a right kernel', async () => {
  const page = await open('', { worker: clockOfLooks(1) });
  await judge(page, await example(page, 0));
  expect(await page.textContent('.top h1')).toMatch(/pass/);
});

itWhole(
  'shows what does not compile at its line, and says of rubbish in a sentence what it lacks',
  async () => {
    const page = await open();
    const right = await example(page, 0);
    await judge(page, right.replace('var sum = 0.0;', 'var sum = 0.0 +;'));
    const line = 1 + right.slice(0, right.indexOf('var sum')).split('\n').length - 1;
    expect(await page.textContent('#problem')).toMatch(/^The kernel does not compile/);
    expect(await page.textContent('#complaints button')).toBe(`Line ${line}, column 18`);
    expect(await page.textContent('#complaints pre')).toContain('var sum = 0.0 +;');
    expect(await page.evaluate('getSelection().toString()')).toContain('var sum');
    expect(await page.locator('#at-verdict *').count()).toBe(0);
    await looks(page, 'page-compile');
    for (const rubbish of [
      '',
      'nothing',
      '\u0000<script>alert(1)</script>',
      '@compute fn main() {}',
      'fn f() {}'.repeat(20_000),
    ]) {
      await judge(page, rubbish);
      expect(await page.textContent('#problem')).toMatch(
        /^(The file kernel\.wgsl|The kernel does not compile).{5,300}$/s,
      );
      expect(await page.locator('#at-verdict *').count()).toBe(0);
    }
  },
);

itWhole('stops, keeps what is judged, and goes on to the end, by keys alone', async () => {
  const page = await open();
  await page.keyboard.press('Tab');
  expect(await page.locator('.skip:focus').count()).toBe(1);
  await page.keyboard.press('Tab');
  expect(await page.locator('#start:focus').count()).toBe(1);
  await page.keyboard.press('Enter');
  await says(page, /Judging .*×/);
  await page.locator('#stop').focus();
  await page.keyboard.press('Enter');
  await ended(page);
  expect(await page.textContent('#doing')).toMatch(/^Stopped: \d+ of \d+ cases are kept/);
  const [, some, all] = /(\d+) of (\d+)/.exec((await page.textContent('#doing')) ?? '') ?? [];
  expect(Number(some)).toBeLessThan(Number(all));
  await page.locator('#resume').focus();
  await page.keyboard.press('Enter');
  await ended(page);
  expect(await page.textContent('#doing')).toBe('Done.');
  expect(readResults((await kept(page)).file).summary).toMatchObject({
    planned: Number(all),
    run: Number(all),
  });
});

itWhole('says that the GPU was lost, keeps what is judged, and goes on with another', async () => {
  const page = await open();
  await page.click('#start');
  await says(page, /Judging .*×/);
  // Crashes the GPU process, as a driver restart does.
  const session = await browser.newBrowserCDPSession();
  await session.send('Browser.crashGpuProcess');
  await ended(page);
  expect(await page.textContent('#doing')).toMatch(/^The GPU was lost .*\d+ of \d+ cases are kept/);
  expect(await page.locator('#keep').isVisible()).toBe(true);
  await page.click('#resume');
  await ended(page);
  expect(await page.textContent('#doing')).toBe('Done.');
  expect(readResults((await kept(page)).file).verdict).toBe('pass');
});

/** A script for the worker: loses the device when a message begins with a text. */
const losingAt = (says: string) => `{
  const [open, tell] = [GPUAdapter.prototype.requestDevice, self.postMessage.bind(self)];
  let device;
  GPUAdapter.prototype.requestDevice = async function (...asked) {
    return (device = await open.apply(this, asked));
  };
  self.postMessage = (told) => {
    if (String(told.says).startsWith('${says}')) device.destroy();
    tell(told);
  };
}
`;

itWhole('keeps what was judged where the GPU is lost while it is timed', async () => {
  const page = await open();
  await page.route('**/worker.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: losingAt('Timing strassen') + (await response.text()) });
  });
  await page.reload();
  await page.click('#start');
  await ended(page);
  expect(await page.textContent('#problem')).toMatch(/lost|destroyed/);
  expect(await page.locator('#speeds tbody tr').count()).toBeGreaterThan(0);
  expect(readResults((await kept(page)).file).verdict).toBe('pass');
});

itWhole('lets go of a kernel that never ends, and keeps what the visitor wrote', async () => {
  const own = await startChromium(SOFTWARE_GPU);
  try {
    const page = await open('', { from: own });
    const endless = (await example(page, 0)).replace(
      'var sum = 0.0;',
      'var sum = 0.0;\n  loop {\n    sum += 1.0;\n    if (sum < 0.0) {\n      break;\n    }\n  }',
    );
    await page.fill('#source', endless);
    await page.click('#judge');
    await says(page, /No answer for \d+ s/);
    await page.click('#stop');
    await ended(page);
    expect(await page.textContent('#problem')).toMatch(/^The GPU did not answer for 10 s/);
    await page.selectOption('#example', '1');
    expect(await page.inputValue('#source')).not.toBe(endless);
    await page.selectOption('#example', 'Your kernel');
    expect(await page.inputValue('#source')).toBe(endless);
  } finally {
    await own.close();
  }
});

itWhole('shows results of a file, and refuses what is none by a sentence', async () => {
  const page = await open();
  const file = (text: string) => ({
    name: 'results.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await page.setInputFiles('#open', file(JSON.stringify(syntheticResults())));
  await ended(page);
  expect(await page.locator('.top').count()).toBe(1);
  await page.locator('#cases summary').click();
  await page.locator('#case-table tr[id]').first().click();
  expect(await page.locator('#case').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  for (const rubbish of ['', '{', '[]', '{"schema":"gemm-paranoia/results/9"}', '<html>']) {
    await page.setInputFiles('#open', file(rubbish));
    await ended(page);
    expect(await page.textContent('#problem')).toMatch(/^.{10,300}\.$/);
  }
  expect(complaints).toEqual([]);
});

itWhole('opens no link in the middle of a run, and forgets the one before', async () => {
  const damaged = '#r=1.AAAA.BBBB';
  const page = await open(damaged);
  await ended(page);
  await page.click('#start');
  expect(new URL(page.url()).hash).toBe('');
  await page.evaluate(`location.hash = '${damaged}'`);
  await page.locator('#problem', { hasText: 'follow the link again' }).waitFor();
  await page.click('#stop');
  await ended(page);
  expect(await page.textContent('#doing')).toMatch(/^Stopped|^$/);
});

itWhole('says of a damaged link what is wrong with it', async () => {
  for (const fragment of ['#r=1.AAAA.BBBB', '#r=', '#r=9.x.y', '#r=1.%00.%00']) {
    const page = await open(fragment);
    await ended(page);
    expect(await page.textContent('#problem')).toMatch(/^The link .{10,200}\.$/);
  }
});

itWhole(
  'says which browsers have WebGPU where there is none, and still shows what others found',
  async () => {
    const without = await startChromium(['--disable-gpu']);
    try {
      const offered = await open('', { from: without });
      await offered.click('#start');
      await ended(offered);
      expect(await offered.textContent('#problem')).toBe(
        'No GPU adapter was found on this machine (WebGPU offers none).',
      );
      const context = await without.newContext();
      context.setDefaultTimeout(NEVER);
      await context.addInitScript('delete Navigator.prototype.gpu');
      const page = await context.newPage();
      await page.goto(host.url);
      expect(await page.textContent('#problem')).toMatch(/no WebGPU.*Chrome.*Safari.*Firefox/);
      expect(await page.locator('#start').isDisabled()).toBe(true);
      await page.setInputFiles('#open', {
        name: 'results.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(syntheticResults())),
      });
      await ended(page);
      expect(await page.locator('.top').count()).toBe(1);
      await looks(page, 'page-without');
    } finally {
      await without.close();
    }
  },
);
