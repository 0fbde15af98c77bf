import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../../src/cli/in-process.testing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-reports-'));
  await writeFile(
    join(folder, 'k.mjs'),
    '// wrong\nexport function f(a, b, { m, n }) {\n  return new Float32Array(m * n).fill(1);\n}\n',
  );
  await copyFile(
    new URL('../../share/templates/javascript/matmul.mjs', import.meta.url),
    join(folder, 'good.mjs'),
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** A named case, whose kernel is not inspected first. */
const gate = (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
  runHere(folder, ['gate', 'k.mjs#f', '--case', 'kernel=k.mjs#f;input=integers;m=4;k=4;n=4', ...args], env);

describe('a gate', () => {
  it('annotates the line that defines a kernel, unasked in GitHub Actions', async () => {
    const asked = await gate({ GITHUB_WORKSPACE: folder }, '--reporter', 'json,github');
    const unasked = await gate({ GITHUB_WORKSPACE: folder, GITHUB_ACTIONS: 'true' }, '--reporter', 'json');
    for (const { code, stdout } of [asked, unasked]) {
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^::stop-commands::(.{36})\n[\s\S]*\n::\1::\n::error file=k\.mjs,line=2,title=k\.mjs#f/,
      );
    }
    expect((await gate({}, '--reporter', 'json')).stdout).not.toContain('::');
  });

  it('shows dots in place of its progress', async () => {
    const { stderr } = await gate({ COLUMNS: '60' }, '--reporter', 'dots');
    expect(stderr).toMatch(/1 case\.\nF\n$/);
  });
});

describe('a campaign', () => {
  it('shows dots in place of its rate, those of the corpus first', async () => {
    const args = ['k.mjs#f', '--runs', '44', '--max-size', '4', '--seed', '1', '--reporter', 'dots'];
    const found = await runHere(folder, ['fuzz', ...args], { COLUMNS: '40' });
    expect([found.code, found.stderr]).toEqual([1, expect.stringMatching(/seed 1\.\n\.{0,40}F[.F?\n]+/)]);
    const again = await runHere(folder, ['fuzz', ...args], { COLUMNS: '40' });
    expect(again.stderr).toMatch(/, running 1 case saved by earlier runs, then .*\.\nF\n\.*F[.F?\n]+/);
    const honest = await runHere(folder, ['fuzz', ...args.with(0, 'good.mjs')], { COLUMNS: '40' });
    expect([honest.code, honest.stderr]).toEqual([0, expect.stringMatching(/seed 1\.\n[.?]{40}\n[.?]{4}\n/)]);
  });
});
