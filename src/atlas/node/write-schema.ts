import { writeFileSync } from 'node:fs';
import { judgmentJsonSchema, resultsJsonSchema } from '../../pages/schema.ts';
import { entryJsonSchema } from '../schema.ts';

// Run from the build after a change to the results; the package's "schema" script formats what it writes.
const write = (name: string, schema: object) =>
  writeFileSync(
    new URL(`../../../share/schemas/${name}`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  );
write('results.schema.json', resultsJsonSchema());
write('judgment.schema.json', judgmentJsonSchema());
write('atlas.schema.json', entryJsonSchema());
