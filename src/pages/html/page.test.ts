import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { syntheticCase, syntheticResults } from '../../../tests/support/synthetic.ts';
import { itWhole } from '../../base/in-short.testing.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { BASE, CELL, CLASSES as MAP_CLASSES, NEGATIVE as OF_MAPS } from '../../evidence/heat-map.ts';
import { CLASSES, NEGATIVE, PIXEL, RAMPS } from '../../report/html/figures/cells.ts';
import { SCRIPT, SCRIPT_HASH } from '../../report/html/script.ts';
import type { Results } from '../../run/results.ts';
import { htmlReport, LARGEST_REPORT, LARGEST_WITH_ALL } from './page.ts';

const size = (text: string) => Buffer.byteLength(text);
const raw = 'results.json';

it('allows its own script alone', () => {
  expect(SCRIPT_HASH).toBe(createHash('sha256').update(SCRIPT).digest('base64'));
});

it('shows 900 cases and every part in less than 300 KB', () => {
  const page = htmlReport(syntheticResults(), { raw });
  expect(size(page)).toBeLessThan(300_000);
  expect(page).not.toMatch(/left out/);
  expect(page.match(/<tr id=c\d+/g)).toHaveLength(900);
  expect(page).toMatch(/<tbody data-v="pass" /);
  const parts = [...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id);
  expect(parts).toEqual(
    'failures study inconclusive grid kernels size levels histograms speed maps run device cases'.split(' '),
  );
});

itWhole('stays small with any number of cases, failures first, and says what is left out', () => {
  const results = syntheticResults();
  const many = Array.from({ length: 30_000 }, (_, at): CaseResult => results.cases[at % 900]);
  const page = htmlReport({ ...results, cases: many }, { raw, against: results });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  expect(page).toMatch(/<strong>\d+ more cases are omitted<\/strong>/);
  const standings = [...page.matchAll(/<tbody data-v="(\w+)"/g)].map(([, standing]) => standing);
  expect([...new Set(standings)]).toEqual(['fail', 'inconclusive', 'pass']);
});

itWhole('lists ten thousand cases in less than 1 MB where all are asked for', () => {
  const [first] = syntheticResults().cases;
  const cases = Array.from({ length: 10_000 }, (_, seed): CaseResult => {
    const text = first.case.replace('seed=1', `seed=${seed}`);
    return { ...first, seed, case: text, replay: first.replay.replace(first.case, text) };
  });
  const page = htmlReport({ ...syntheticResults(), cases }, { raw, largest: LARGEST_WITH_ALL });
  expect(size(page)).toBeLessThan(1_000_000);
  expect(page.match(/<tr id=c\d+/g)).toHaveLength(10_000);
});

itWhole('leads to no case that it has no room for', () => {
  const results = syntheticResults();
  const cases = Array.from({ length: 10_000 }, (_, at): CaseResult => results.cases[at % 900]);
  const page = htmlReport({ ...results, cases }, { raw });
  const targets = new Set([...page.matchAll(/<tr id=(c\d+)/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#(c\d+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((id) => !targets.has(id))).toEqual([]);
});

it('draws kernels of others apart, each by its name, and none by the average of all', () => {
  const place = { algorithm: 'classical', leaf: '', levels: 0, input: 'uniform', series: true, seed: 1 };
  const cases = ['mine', 'yours', 'theirs'].flatMap((kernel) =>
    [32, 64, 128].map((n) => syntheticCase({ ...place, kernel, n, seconds: 1e-3 })),
  );
  const { study: _, ...results } = syntheticResults();
  const page = htmlReport({ ...results, cases, growth: [] });
  for (const kernel of ['mine', 'yours', 'theirs']) {
    expect(page).toMatch(new RegExp(`data-hides="a\\d"><svg[^>]*>.*?</svg>${kernel}</button>`));
    expect(page.match(new RegExp(`<title>${kernel}, n = 64: [\\d.]+ bits`, 'g'))).toHaveLength(1);
  }
  expect(
    page
      .split('id="size"')[1]
      .split('</section>')[0]
      .match(/class="solid" d/g),
  ).toHaveLength(3 + 2 * 3);
  // All claim the same, so that one line is the bound of all.
  expect(page.match(/class="dashed" d="M\d{2}/g)).toHaveLength(1);
});

it('has a colour for every digit of a picture', () => {
  expect([CLASSES, NEGATIVE]).toEqual([MAP_CLASSES, OF_MAPS]);
  const pixels = [CELL.zero, CELL.unknown, CELL.notFinite].map((digit) => Number.parseInt(digit, BASE));
  expect(pixels).toEqual([PIXEL.zero, PIXEL.unknown, PIXEL.notFinite]);
  for (const { colors } of Object.values(RAMPS)) expect(colors).toHaveLength(NEGATIVE + CLASSES + 1);
});

it('shows what fails with pictures of A, B, C and the error', () => {
  const { study: _, ...results } = syntheticResults();
  const map = { of: [3, 2] as [number, number], rows: 3, cols: 2, between: [1, 8] as [number, number] };
  const [failing] = results.cases.filter(({ verdict }) => verdict === 'fail');
  const maps = { a: { ...map, cells: '17d17d' }, error: { ...map, cells: '00000f' } };
  const cases = [{ ...failing, maps }];
  const group = {
    kernels: ['<b>'],
    says: 'the one case fails',
    later: false,
    failing: 1,
    judged: 1,
    passing: 0,
  };
  const groups = [{ ...group, apart: 0, checks: { sigma: 1 }, example: failing.case, cases: [0] }];
  const page = htmlReport({ ...results, cases, groups }, { raw });
  expect(page).toContain('<h3>&lt;b&gt;: the one case fails.</h3>');
  expect(page.match(/<figure class="heat">/g)).toHaveLength(2);
  expect(page).toContain(
    'error of C, 3×2: 1 of 6 cells are not 0, 0 negative, 1 not finite; sizes 1.00e+0 to 8.00e+0',
  );
  expect(page).toContain('<a href="#c0">Open this case</a>');
});

it('shows the smaller case of a group first, with its own pictures, and folds the one that it was made of', () => {
  const { study: _, ...results } = syntheticResults();
  const picture = (rows: number, cells: string) => {
    const of: [number, number] = [rows, 1];
    return { a: { of, rows, cols: 1, between: [1, 1] as [number, number], cells } };
  };
  const [failing] = results.cases.filter(({ verdict }) => verdict === 'fail');
  const cases = [{ ...failing, maps: picture(3, '111') }];
  const shrunk = {
    ...{ case: 'kernel=mine;m=2;k=1;n=1;input=integers', replay: 'gate --case small' },
    ...{ reason: '1 of 2 entries differs.', maps: picture(2, '11') },
  };
  const says = { kernels: ['mine'], says: 'the one case fails', later: false };
  const counts = { failing: 1, judged: 1, passing: 0, apart: 0, checks: { sigma: 1 } };
  const groups = [{ ...says, ...counts, example: failing.case, cases: [0], smallerExample: shrunk }];
  const page = htmlReport({ ...results, cases, groups }, { raw });
  const [card] = /<article class="failure">.*?<\/article>/s.exec(page) as RegExpExecArray;
  const [first, folded] = card.split('<summary>Shrunk from a larger one, ');
  expect(first).toMatch(/A, 2×1: .*2×1×1, integers:<\/b> 1 of 2 entries differs\..*gate --case small/s);
  expect(first).not.toMatch(/A, 3×1:|Open this case/);
  expect(folded).toMatch(/A, 3×1: .*<a href="#c0">Open this case<\/a>/s);
  expect(folded).not.toMatch(/A, 2×1:/);
});

itWhole('is no larger where all of ten thousand cases fail, in groups or one by one', () => {
  const results = syntheticResults();
  const [failing] = results.cases.filter(({ verdict }) => verdict === 'fail');
  const cases = Array.from({ length: 10_000 }, (): CaseResult => failing);
  expect(size(htmlReport({ ...results, cases }, { raw }))).toBeLessThanOrEqual(LARGEST_REPORT);
});

it('cuts names of five hundred characters, and keeps their commands whole', () => {
  const results = syntheticResults();
  const kernel = `<i>${'k'.repeat(497)}`;
  const cases = results.cases.slice(0, 20).map((result): CaseResult => {
    const text = result.case.replace(/kernel=[^;]*/, `kernel=${kernel}`);
    return { ...result, kernel, case: text, replay: `gate --case '${text}'` };
  });
  const page = htmlReport({ ...results, cases }, { raw });
  expect(page).not.toContain('<i>k');
  expect(page).toContain(`<b class="name">&lt;i&gt;${'k'.repeat(116)}…</b>`);
  expect(page).toContain(`data-text="kernel=&lt;i&gt;${'k'.repeat(497)};`);
});

itWhole('stays small where every case has names of its own', () => {
  const results = syntheticResults();
  const cases = results.cases.map((result, at): CaseResult => {
    const [kernel, input] = [`kernel-${'k'.repeat(100)}${at}`, `input-${'i'.repeat(100)}${at}`];
    return { ...result, kernel, input, algorithm: `${at}` };
  });
  expect(size(htmlReport({ ...results, cases }, { raw }))).toBeLessThanOrEqual(LARGEST_REPORT);
});

itWhole('leaves a part out that would fill the page', () => {
  const results = syntheticResults();
  const [cell] = results.study?.cells ?? [];
  const cells = Array.from({ length: 400 }, (_, at) => ({
    ...cell,
    row: `${at}`,
    note: `${at} ${'x'.repeat(590)}`,
  }));
  const page = htmlReport({ ...results, study: { ...results.study!, cells } }, { raw });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  expect(page).toMatch(/<h2>Study: .*<\/h2><p>This part is omitted to keep the page small/);
});

itWhole('escapes every text of the file, and no text fills the page', () => {
  const results = syntheticResults();
  const hostile = `</title></script><script>alert(1)</script><img src=x onerror="a">'"\u202e\u0007${'x'.repeat(5000)}`;
  const spoil = (value: unknown, key = ''): unknown => {
    const kept = ['verdict', 'status', 'standing', 'schema', 'measure', 'over', 'kind'];
    if (typeof value === 'string')
      return kept.includes(key) || value === 'NaN' || value === 'Infinity' ? value : hostile;
    if (Array.isArray(value)) return value.map((one) => spoil(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, spoil(one, at)]));
  };
  const spoiled = spoil(results) as Results;
  const page = htmlReport(spoiled, { raw, against: { ...spoiled, cases: spoiled.cases.slice(1) } });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  for (const forbidden of ['<img', '\u202e', '\u0007']) expect(page).not.toContain(forbidden);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<\/script/g)).toHaveLength(1);
});

it('is a report also without cases, and leaves out what there is nothing to show of', () => {
  const { study: _, probe: __, ...rest } = syntheticResults();
  const page = htmlReport({ ...rest, cases: [], growth: [] }, { raw });
  expect([...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual(['run', 'device', 'cases']);
  expect(page).toContain('No case finished');
});

it('refuses to draw maps and histograms that no picture could hold', () => {
  const results = syntheticResults();
  const [first] = results.cases;
  const huge: CaseResult = {
    ...first,
    levels: 1e15,
    levelsUsed: 1e15,
    errorMap: { rows: 1e9, cols: 1e9, cells: [1] },
    histogram: { width: 1e300, counts: [0, 0] },
  };
  const page = htmlReport({ ...results, cases: [huge] }, { raw });
  expect(page).not.toContain('id="maps"');
  expect(page).not.toMatch(/="[^"]*NaN/);
});

it('draws no growth of the errors of a kernel that fails', () => {
  const results = syntheticResults();
  const [first] = results.cases.filter(({ series }) => series);
  const failed = { ...first, verdict: 'fail' as const, waived: undefined };
  const others = results.cases.filter(({ kernel }) => kernel === first.kernel);
  const growth = results.growth.filter(({ kernel }) => kernel === first.kernel);
  const sectionsOf = (cases: readonly CaseResult[]) => {
    const page = htmlReport({ ...results, study: undefined, cases: [...cases], growth }, { raw });
    return [...page.matchAll(/<section id="(size|levels)"/g)].map(([, id]) => id);
  };
  const passing = others.map((one) => ({ ...one, verdict: 'pass' as const }));
  expect(sectionsOf(passing)).toEqual(['size', 'levels']);
  expect(sectionsOf([failed, ...passing])).toEqual([]);
});
