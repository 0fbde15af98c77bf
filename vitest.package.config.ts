import { defineConfig } from 'vitest/config';

// Apart from the other tests: what users install is compiled and packed for these, and the steps of workflows are run.
export default defineConfig({
  test: { name: 'package', include: ['integration/*.check.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
