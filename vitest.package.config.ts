import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

// Apart from the other tests, for they take long: what users install is compiled and packed for these, the steps of workflows are run,
// kernels attack the machine, whole runs in several processes are compared, and laws ask what takes most of the tests' time.
export default defineConfig({
  test: {
    name: 'package',
    include: ['integration/*.check.ts', 'properties/**/*.check.ts'],
    env: base.test?.env ?? {},
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
