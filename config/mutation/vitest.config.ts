import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.shared.ts';
import { tests, testsOfBuild } from './scope.ts';

const mocked = 'src/**/*.mocked.test.ts';
// Arguments of processes mean nothing to threads, and kept modules would outlive a mutant.
const { experimental: _, execArgv: __, ...settings } = shared;

/** Tests that try mutants, in the threads that Stryker's runner asks for. */
export default defineConfig({
  test: {
    ...settings,
    root: process.cwd(),
    pool: 'threads',
    maxWorkers: 1,
    projects: [
      { extends: true, test: { name: 'shared', include: [...tests], exclude: [mocked, ...testsOfBuild] } },
      { extends: true, test: { name: 'mocked', include: [mocked], isolate: true } },
    ],
  },
});
