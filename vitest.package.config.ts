import { defineConfig } from 'vitest/config';

// Apart from the other tests: what users install is compiled and packed for these.
export default defineConfig({
  test: { name: 'package', include: ['integration/*.check.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
