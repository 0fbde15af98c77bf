import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { shared } from './vitest.config.ts';

/** Tests beside the code of which `npm test` asks a part. */
const partial = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('in-short.testing.ts'));

// Apart from the other tests, for it takes long.
export default defineConfig({
  test: {
    ...shared,
    projects: [
      // What users install is compiled and packed for these, the steps of workflows are run, kernels attack the machine, whole runs
      // in several processes are compared, and laws ask what takes most of the tests' time.
      {
        extends: true,
        test: {
          name: 'package',
          include: ['integration/*.check.ts', 'properties/**/*.check.ts'],
          isolate: true,
          execArgv: [],
        },
      },
      // What `npm test` asks in short is asked whole: all runs of every law, all cases of each table.
      {
        extends: true,
        test: { name: 'whole', include: ['properties/**/*.test.ts', ...partial], env: { TESTS: 'whole' } },
      },
    ],
  },
});
