import { z } from 'zod';
import { entry } from './entry.ts';

/** The id of the JSON Schema of an entry; its last part is the major version. */
export const ENTRY_SCHEMA_ID = 'urn:gemm-paranoia:atlas:2';

/** Returns the JSON Schema of an entry of the atlas, which ships as `share/schemas/atlas.schema.json`. */
export function entryJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(entry, { io: 'input' });
  const about = 'An atlas entry: the results of one gemm-paranoia run of kernels on a device.';
  return { $schema, $id: ENTRY_SCHEMA_ID, title: 'gemm-paranoia atlas entry', description: about, ...rest };
}
