import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vitest/node';

/** The repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The path with the folder of Python itself first: what stands in the path may be a script that looks for it, at each start. */
function pathToPython(): { readonly PATH?: string } {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return stdout ? { PATH: [dirname(stdout.trim()), process.env.PATH].join(delimiter) } : {};
}

/** Files that share one process a worker, and so its modules, its device and the pipelines compiled for it. */
export const shared: InlineConfig = {
  pool: 'forks',
  isolate: false,
  setupFiles: 'properties/seed.ts',
  // What tests make is short-lived: a large nursery saves processor time.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
  // For what never ends: no test that ends may come near, however busy the machine is.
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  // What is compiled of a file is kept until the file changes: a third of what a run takes to begin.
  experimental: { fsModuleCache: true },
  // What `tune` keeps for a user's adapters must not decide what tests see.
  env: {
    PARANOIA_VITEST: 'npx vitest run --config config/vitest.unit.ts',
    XDG_CACHE_HOME: fileURLToPath(new URL('../node_modules/.cache', import.meta.url)),
    ...pathToPython(),
  },
};
