import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const mocked = 'src/**/*.mocked.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: tests that wait for processes leave theirs idle.
    maxWorkers: 3,
    // What tests make is short-lived: a large nursery saves processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // For what never ends: no test that ends may come near, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What `tune` keeps for a user's adapters must not decide what tests see.
    env: { XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)) },
    projects: [
      // Files share one process a worker, and so its modules, its device and the pipelines compiled for it…
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'properties/**/*.test.ts'],
          exclude: [mocked],
          isolate: false,
        },
      },
      // …unless they put others in place of modules.
      { extends: true, test: { name: 'mocked', include: [mocked] } },
    ],
  },
});
