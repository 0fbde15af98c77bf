import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { makeTestEntry } from './run.testing.ts';
import { jsonSchemas } from './schema.ts';

const shipped = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../share/schemas/${file}`, import.meta.url), 'utf8'));

// Out of date? npm run schema
it.each(jsonSchemas())('%s ships as it now is', (file, schema) => {
  expect(shipped(file)).toEqual(schema);
});

it('an entry follows its schema', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(
    shipped('atlas.schema.json'),
  );
  validate(JSON.parse(JSON.stringify(makeTestEntry())));
  expect(validate.errors).toBe(null);
  expect(validate({ ...makeTestEntry(), kernels: [] })).toBe(false);
});
