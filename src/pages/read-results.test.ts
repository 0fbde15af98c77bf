import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Results } from '../run/results.ts';
import { jsonReport } from './json.ts';
import { readResults } from './read-results.ts';

const text = readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8');

it('reads what the JSON reporter writes, to the letter', () => {
  const results = readResults(text, 'x.json');
  expect(results).toEqual(JSON.parse(text));
  expect(readResults(jsonReport(results), 'x.json')).toEqual(results);
  expect(jsonReport(readResults(jsonReport(results), 'x.json'))).toBe(jsonReport(results));
  expect(readResults(`\uFEFF${text}`, 'x.json')).toEqual(results);
});

it('writes numbers that JSON cannot hold as the schema does', () => {
  const results = readResults(text, 'x.json');
  const [first, ...cases] = results.cases;
  const spoiled = { ...first, aPriori: { bound: Number.POSITIVE_INFINITY, vacuous: true } };
  const read = readResults(jsonReport({ ...results, cases: [spoiled, ...cases] }), 'x.json');
  expect(read.cases[0].aPriori?.bound).toBe('Infinity');
});

const changed = (change: (x: Results) => unknown) => {
  const value = JSON.parse(text);
  change(value);
  return JSON.stringify(value);
};
const deep = `{"schema":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

it.each([
  ['nothing', '', 'it is empty.'],
  ['a page', '<html></html>', 'it is not JSON'],
  ['a trailing comma', '{"schema": 1,}', 'it is not JSON'],
  ['a bracket behind an escaped quote', '{"a": "\\"{", }', 'it is not JSON'],
  ['a brace too many', '{}}', 'it is not JSON'],
  ['half a file', text.slice(0, text.length / 2), 'it is truncated'],
  ['a file without its end', text.trimEnd().slice(0, -1), 'it is truncated'],
  ['a cut string', '{"a": "b\\"', 'it is truncated'],
  ['a cut string with a brace', '{"a": "}', 'it is truncated'],
  ['null', 'null', 'its "schema" is missing, but must be "gemm-paranoia/results/3"'],
  ['other JSON', '{"schema": "eslint/1"}', 'its "schema" is "eslint/1", but must be'],
  ['a schema that is no text', deep, 'its "schema" is '],
  [
    'a missing field',
    changed((x) => Object.assign(x.summary, { run: undefined })),
    'summary.run: is missing.',
  ],
  [
    'a wrong type',
    changed((x) => Object.assign(x.cases[3], { m: '64' })),
    'cases[3].m: must be a whole number from 0 to 2147483647, but is "64".',
  ],
  [
    'a negative count',
    changed((x) => Object.assign(x.summary, { fail: -1 })),
    'summary.fail: must be at least 0, but is -1.',
  ],
  [
    'null for a number',
    changed((x) => Object.assign(x.cases[0].exact ?? {}, { bits: null })),
    'cases[0].exact.bits: must be a finite number or "Infinity" or "-Infinity" or "NaN", but is null.',
  ],
  [
    'another verdict',
    changed((x) => Object.assign(x, { verdict: 'ok' })),
    'verdict: must be "pass" or "fail" or "inconclusive", but is "ok".',
  ],
  [
    'an object for a list',
    changed((x) => Object.assign(x, { cases: {} })),
    'cases: must be a list, but is {}.',
  ],
  [
    'a long value',
    changed((x) => Object.assign(x, { cases: 'x'.repeat(1000) })),
    `cases: must be a list, but is "${'x'.repeat(59)}….`,
  ],
  [
    'a wrong entry of a table',
    changed((x) => Object.assign(x.arithmetic, { fma: ['once'] })),
    'arithmetic.fma: must be true or false or a finite number or a string or an object',
  ],
])('refuses %s', (_, wrong, why) => {
  expect(() => readResults(wrong, 'x.json')).toThrow(
    expect.objectContaining({
      code: 'bad-results',
      exitCode: 2,
      message: expect.stringContaining(`x.json is not a readable results file: ${why}`),
    }),
  );
});

it('asks for an update where a newer version made the file', () => {
  expect(() => readResults('{"schema": "gemm-paranoia/results/4"}', 'x.json')).toThrow(
    expect.objectContaining({
      code: 'newer-results',
      exitCode: 2,
      message: expect.stringContaining('written by a newer version (gemm-paranoia/results/4'),
    }),
  );
});

it('does not parse a text of hostile length', () => {
  expect(() => readResults(' '.repeat(2 ** 28 + 1), 'x.json')).toThrow(/it has 268435457 characters/);
});
