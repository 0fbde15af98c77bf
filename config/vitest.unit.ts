import { defineConfig } from 'vitest/config';
import { root, shared } from './vitest.shared.ts';

const mocked = 'src/**/*.mocked.test.ts';

/** Units beside the code, and laws with fixed seeds. */
export default defineConfig({
  root,
  test: {
    ...shared,
    // One more than the cores of a small machine: tests that wait for processes leave theirs idle.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,lab,properties}/**/*.test.ts'],
          exclude: [mocked],
        },
      },
      // Those that put others in place of modules, or change their process for good, share none.
      { extends: true, test: { name: 'mocked', include: [mocked], isolate: true } },
    ],
  },
});
