import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';

const mocked = 'src/**/*.mocked.test.ts';

/** The path with the folder of Python itself first: what stands in the path may be a script that looks for it, at each start. */
function pathToPython(): { readonly PATH?: string } {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return stdout ? { PATH: [dirname(stdout.trim()), process.env.PATH].join(delimiter) } : {};
}

/** Files that share one process a worker, and so its modules, its device and the pipelines compiled for it. */
export const shared: InlineConfig = {
  pool: 'forks',
  isolate: false,
  setupFiles: 'properties/fixed-seed.ts',
  // What tests make is short-lived: a large nursery saves processor time.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
  // For what never ends: no test that ends may come near, however busy the machine is.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // What is compiled of a file is kept until the file changes: a third of what a run takes to begin.
  experimental: { fsModuleCache: true },
  // What `tune` keeps for a user's adapters must not decide what tests see.
  env: {
    XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)),
    ...pathToPython(),
  },
};

export default defineConfig({
  test: {
    ...shared,
    // One more than the cores of a small machine: tests that wait for processes leave theirs idle.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'properties/**/*.test.ts'],
          exclude: [mocked],
        },
      },
      // Those that put others in place of modules share none.
      { extends: true, test: { name: 'mocked', include: [mocked], isolate: true } },
    ],
  },
});
