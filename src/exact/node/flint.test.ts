import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { matrix } from '../../matrix/dense.ts';
import { goldProduct } from '../gold.ts';
import { openFlint } from './flint.ts';

const flint = await openFlint();
afterAll(async () => {
  if (typeof flint !== 'string') await flint.close();
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flint-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A compiler that fails with these words. */
async function failing(words: string): Promise<string> {
  const path = join(folder, `cc-${words.length}`);
  await writeFile(path, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`);
  await chmod(path, 0o755);
  return path;
}

it('says why there is none', async () => {
  expect(await openFlint('no-such-compiler')).toBe('there is no C compiler "no-such-compiler"');
  const missing = 'fatal error: flint/flint.h: No such file or directory';
  expect(await openFlint(await failing(missing))).toBe(
    'FLINT is not installed (on Debian: apt-get install libflint-dev)',
  );
  expect(await openFlint(await failing('/usr/bin/ld: cannot find -lflint'))).toContain(
    'FLINT is not installed',
  );
  const broken = await failing('out of registers');
  expect(await openFlint(broken)).toMatch(/flint-product\.c: out of registers$/);
});

it.skipIf(typeof flint === 'string')(
  'gives the exact product where it is installed, and its times',
  async () => {
    if (typeof flint === 'string') return;
    const a = matrix(2, 3, Float64Array.of(0.1, -3, 2 ** -60, 0, 5e20, 1));
    const b = matrix(3, 2, Float64Array.of(7, -0.3, 1e-9, 0, 2 ** 70, 1));
    expect((await flint.product(a, b)).data).toEqual(goldProduct(a, b).data);
    const seconds = await flint.time(a, b, 2, 3);
    expect(seconds).toHaveLength(3);
    for (const time of seconds) expect(time).toBeGreaterThan(0);
  },
);
