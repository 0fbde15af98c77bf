import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { recordSchemaOf } from './record-schema.ts';

const versions = recordSchemaOf(recordSchemaOf(z.string()));

it('takes every name for data', () => {
  const text = '{"__proto__":{"__proto__":"1"},"constructor":{"toString":"2"},"numpy":{}}';
  const read = versions.parse(JSON.parse(text));
  expect(JSON.stringify(read)).toBe(text);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

it('checks the values, and refuses what is no record', () => {
  for (const wrong of ['{"__proto__":1}', '{"numpy":{"version":2}}', '[]', 'null', '"numpy"']) {
    expect(versions.safeParse(JSON.parse(wrong)).success).toBe(false);
  }
});

it('is required, and has the JSON Schema of a record', () => {
  const record = z.record(z.string(), z.record(z.string(), z.string()));
  const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(z.object({ schema }), { io: 'input' });
  expect(schemaOf(versions)).toEqual(schemaOf(record));
  expect(z.object({ versions }).safeParse({}).success).toBe(false);
  expect(z.object({ versions: z.optional(versions) }).parse({})).toEqual({});
});
