import { writeFileSync } from 'node:fs';
import { jsonSchemas } from '../schema.ts';

// Run from the build after a change to the results; the package's "schema" script formats what it writes.
for (const [file, schema] of jsonSchemas())
  writeFileSync(
    new URL(`../../../share/schemas/${file}`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  );
