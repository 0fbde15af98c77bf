import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

/** Writes a compiler that fails with this message, and returns its path. */
async function failing(words: string): Promise<string> {
  const path = join(folder, `cc-${words.length}`);
  await writeFile(path, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`);
  await chmod(path, 0o755);
  return path;
}

/** Writes a compiler whose program copies its operands to `seen` and answers with these lines. It requires FLINT and our source. */
async function answering(seen: string, product: readonly string[], seconds: readonly number[]) {
  const path = join(folder, 'cc-answering');
  const program = [
    '#!/bin/sh',
    `cp "$1" ${seen}`,
    `if [ "$2" = - ]; then printf '%s\\n' ${seconds.join(' ')}; else printf '%s\\n' ${product.join(' ')} > "$2"; fi`,
  ].join('\n');
  const wanted = '-O2 -o * */programs/flint-product.c -lflint -lm';
  const compiler = `#!/bin/sh\ncase "$*" in ${wanted.replaceAll(' ', '\\ ')}) ;; *) echo "$*" >&2; exit 1;; esac\n`;
  await writeFile(path, `${compiler}cat > "$3" <<'END'\n${program}\nEND\nchmod +x "$3"\n`);
  await chmod(path, 0o755);
  return path;
}

it('sends sizes, units and entries, and reads hexadecimal numbers in units of both', async () => {
  const seen = join(folder, 'seen');
  const found = await openFlint(await answering(seen, ['-3', 'ff', '0', '20000000000001'], [0.25, 0.5]));
  if (typeof found === 'string') throw new Error(found);
  // The units are 2^-3 and, without regard to zeros, 2^4.
  const a = matrix(2, 1, Float64Array.of(0.125, -0.5));
  const b = matrix(1, 2, Float64Array.of(16, 0));
  expect([...(await found.product(a, b)).data]).toEqual([-6, 510, 0, 2 ** 54 + 2]);
  const bytes = await readFile(seen);
  expect([...new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 20))]).toEqual([
    2, 1, 2, -3, 4,
  ]);
  const entries = bytes.buffer.slice(bytes.byteOffset + 20, bytes.byteOffset + bytes.length);
  expect([...new Float64Array(entries)]).toEqual([0.125, -0.5, 16, 0]);
  expect(await found.time(a, b, 2, 2)).toEqual([0.25, 0.5]);
  await found.close();
});

it('says why there is none', async () => {
  expect(await openFlint('no-such-compiler')).toBe('the C compiler "no-such-compiler" is not installed');
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
