import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { matrix } from '../../../matrix/dense.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { productFrom } from '../../tampered.testing.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { openInHost } from './open-in-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'apart-'));
const built = new URL('../../../../dist/kernels/function-kernel.js', import.meta.url).href;
const module = join(folder, 'locate.mjs');

// Changes an entry of A where n is 5, and throws where n is 6.
writeFileSync(
  module,
  `import { openFunctionKernel } from '${built}';
   export async function locate() {
     return openFunctionKernel({
       name: 'mine',
       multiply(a, b, { m, k, n }) {
         const c = new Float32Array(m * n);
         for (let i = 0; i < m; i++)
           for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
         if (n === 5) a[0] = 77;
         if (n === 6) throw new Error('six');
         return c;
       },
     });
   }`,
);

const spec: Partial<FunctionKernel> = { multiply: () => new Float32Array() };
const session = openInHost({ name: 'mine', ...spec }, { module: pathToFileURL(module).href, args: {} });
afterAll(async () => {
  await session.close?.();
  rmSync(folder, { recursive: true });
});

/** Asks for products of 1×2 times 2×n, whose entries are 10 and 100 times 1, 2, 3, …, in one message. */
const ask = (...sizes: number[]) => {
  const shapes = sizes.map((n) => ({ m: 1, k: 2, n }));
  const entries = (each: (n: number) => readonly number[]) => Float32Array.from(sizes.flatMap(each));
  const [a, b] = [
    entries(() => [10, 100]),
    entries((n) => Array.from({ length: 2 * n }, (_, at) => 1 + (at % n))),
  ];
  const length = sizes.reduce((sum, n) => sum + n, 0);
  return productFrom(session, {
    operands: { a: matrix(1, a.length, a), b: matrix(1, b.length, b) },
    gemm: plainGemm({ m: 1, k: 1, n: length }),
    apart: shapes,
  });
};

it('computes products of unequal shapes in one message, one after the other', async () => {
  expect(session.asksApart).toBe(true);
  const { c, changed, unwritten } = await ask(2, 1, 3);
  expect(c).toEqual(matrix(1, 6, Float32Array.of(110, 220, 110, 110, 220, 330)));
  expect([changed, unwritten]).toEqual([0, 0]);
});

it('adds up the entries that products change, and tells the error of one of them', async () => {
  expect((await ask(2, 5, 1, 5)).changed).toBe(2);
  await expect(ask(2, 6, 1)).rejects.toMatchObject({
    code: 'kernel-threw',
    message: expect.stringContaining('six'),
  });
  expect((await ask(2)).c.data).toEqual(Float32Array.of(110, 220));
});
