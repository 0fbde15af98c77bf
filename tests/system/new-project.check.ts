import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPacked, type Project, run } from '../support/packed.ts';

let project: Project;
beforeAll(() => {
  project = installPacked('new-project');
});
afterAll(() => project.remove());

const paranoia = (...args: readonly string[]) =>
  run(project.folder, ['node_modules/gemm-paranoia/dist/cli/main.js', ...args]);

it('goes from nothing to a verdict', () => {
  // The commands of README, in order.
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toMatch(/gemm-paranoia init .*\nnpx gemm-paranoia gate +# judges all kernels of the config/);
  expect(paranoia('init', '--yes')).toContain('Wrote matmul.mjs, paranoia.config.mjs');
  expect(paranoia('gate', '--size', '1,17,64', '--seed', '1')).toMatch(/^PASS: /m);
  const results = JSON.parse(readFileSync(join(project.folder, 'reports/local/results.json'), 'utf8'));
  expect(results.cases.length).toBeGreaterThan(10);
});
