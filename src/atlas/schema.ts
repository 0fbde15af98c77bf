import { z } from 'zod';
import { judgment } from '../pages/judgment.ts';
import { results } from '../run/results.ts';
import { entry } from './entry.ts';

/** The shipped schemas, by the names of their files in `share/schemas`. The last part of an id is the major version. */
const schemas = {
  'results.schema.json': {
    id: 'urn:gemm-paranoia:results:3',
    title: 'gemm-paranoia results',
    description: 'The cases of a run of gemm-paranoia, its device and its verdict.',
    schema: results,
  },
  'judgment.schema.json': {
    id: 'urn:gemm-paranoia:judgment:1',
    title: 'gemm-paranoia judgment',
    description: 'The verdict of gemm-paranoia on one untrusted kernel.',
    schema: judgment,
  },
  'atlas.schema.json': {
    id: 'urn:gemm-paranoia:atlas:2',
    title: 'gemm-paranoia atlas entry',
    description: 'An atlas entry: the results of one gemm-paranoia run of kernels on a device.',
    schema: entry,
  },
};

/** Returns the JSON Schemas that ship. They allow unknown keys: a later version may add some without a new major version. */
export const jsonSchemas = (): [file: string, schema: Record<string, unknown>][] =>
  Object.entries(schemas).map(([file, { id, title, description, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return [file, { $schema, $id: id, title, description, ...rest }];
  });
