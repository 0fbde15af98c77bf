import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { Results } from '../run/results.ts';

const shipped = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../share/schemas/${name}`, import.meta.url), 'utf8'));

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(
  shipped('results.schema.json'),
);
const example = () => shipped('results.example.json');

it('accepts the example that ships beside it, and keys that a later version may add', () => {
  validate(example());
  expect(validate.errors).toBe(null);
  expect(validate({ ...example(), added: 1 })).toBe(true);
});

it.each([
  ['a missing field', (x: Results) => Object.assign(x, { adapter: undefined }), ''],
  ['another version', (x: Results) => Object.assign(x, { schema: 'x' }), '/schema'],
  ['another verdict', (x: Results) => Object.assign(x, { verdict: 'maybe' }), '/verdict'],
  [
    'null for a number',
    (x: Results) => Object.assign(x.cases[0].exact ?? {}, { bits: null }),
    '/cases/0/exact/bits',
  ],
])('refuses %s', (_, spoil, path) => {
  const spoiled = example();
  spoil(spoiled);
  expect(validate(JSON.parse(JSON.stringify(spoiled)))).toBe(false);
  expect(validate.errors?.map((error) => error.instancePath)).toContain(path);
});
