import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { notRun } from './not-run.ts';
import { root, shared } from './vitest.shared.ts';

/** The seed of everything that is drawn: printed, so that `TESTS_SEED` draws it again. */
const { TESTS_SEED = String(Math.floor(Date.now() / 1000)) } = process.env;
process.env.TESTS_SEED = TESTS_SEED;

const PARANOIA_VITEST = 'TESTS=whole npx vitest run --config config/vitest.unit.ts';
const whole = { TESTS: 'whole', TESTS_SEED, PARANOIA_VITEST };

/** Tests beside the code of which `npm test` asks a part. */
const partial = ['src', 'lab']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter(
    (file) =>
      file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes('in-short.testing.ts'),
  );

/** Slow checks, and the other tiers whole: all runs of every law, all cases of each table, on seeds drawn anew. */
export default defineConfig({
  root,
  test: {
    ...shared,
    env: { ...shared.env, ...whole },
    maxWorkers: 2,
    reporters: ['default', notRun],
    projects: [
      {
        extends: true,
        test: {
          name: 'nightly',
          globalSetup: ['tests/support/packed.ts', 'tests/support/told-seed.ts'],
          include: ['tests/{nightly,system}/*.check.ts', '{properties,lab}/**/*.check.ts'],
          isolate: true,
          execArgv: [],
        },
      },
      { extends: true, test: { name: 'whole', include: ['properties/**/*.test.ts', ...partial] } },
    ],
  },
});
