import { writeFileSync } from 'node:fs';
import { resultsJsonSchema } from '../schema.ts';

// Run from the build after a change to the results; the package's "schema" script formats what it writes.
const file = new URL('../../../schemas/results.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(resultsJsonSchema(), undefined, 2)}\n`);
