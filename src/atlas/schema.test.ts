import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { makeTestEntry } from './run.testing.ts';
import { ENTRY_SCHEMA_ID, entryJsonSchema } from './schema.ts';

const shipped = JSON.parse(
  readFileSync(new URL('../../share/schemas/atlas.schema.json', import.meta.url), 'utf8'),
);

// Out of date? npm run schema
it('ships the JSON Schema that entries now have, which an entry follows', () => {
  expect(shipped).toEqual(entryJsonSchema());
  expect(shipped.$id).toBe(ENTRY_SCHEMA_ID);
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(shipped);
  validate(JSON.parse(JSON.stringify(makeTestEntry())));
  expect(validate.errors).toBe(null);
  expect(validate({ ...makeTestEntry(), kernels: [] })).toBe(false);
});
