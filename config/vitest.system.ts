import { defineConfig } from 'vitest/config';
import { notRun } from './not-run.ts';
import { root, shared } from './vitest.shared.ts';

/** Whole commands as users type them, of the build and of the package that is made of it. */
export default defineConfig({
  root,
  test: {
    ...shared,
    name: 'system',
    include: ['tests/system/*.check.ts'],
    globalSetup: 'tests/support/packed.ts',
    isolate: true,
    execArgv: [],
    // Checks wait for the processes that they start.
    maxWorkers: 2,
    reporters: ['default', notRun],
  },
});
