import { defineConfig } from 'vitest/config';

// Apart from the other tests: these need a Chromium on the machine.
export default defineConfig({
  test: { name: 'browser', include: ['browser/**/*.browser.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
