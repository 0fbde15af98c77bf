import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'units', include: ['src/**/*.test.ts'] } },
      // The laws share one process a worker, and so its device and the pipelines compiled for it.
      { extends: true, test: { name: 'laws', include: ['properties/**/*.test.ts'], isolate: false } },
    ],
  },
});
