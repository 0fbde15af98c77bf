import { writeFileSync } from 'node:fs';
import { judgementJsonSchema, resultsJsonSchema } from '../../pages/schema.ts';
import { entryJsonSchema } from '../schema.ts';

// Run from the build after a change to the results; the package's "schema" script formats what it writes.
const write = (name: string, schema: object) =>
  writeFileSync(
    new URL(`../../../share/schemas/${name}`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  );
write('results.schema.json', resultsJsonSchema());
write('judgement.schema.json', judgementJsonSchema());
write('atlas.schema.json', entryJsonSchema());
