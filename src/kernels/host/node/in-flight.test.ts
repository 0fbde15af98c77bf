import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { itWhole } from '../../../base/in-short.testing.ts';
import { matrix } from '../../../matrix/dense.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { productFrom } from '../../tampered.testing.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { openInHost } from './open-in-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'in-flight-'));
const built = new URL('../../../../dist/kernels/function-kernel.js', import.meta.url).href;
const module = join(folder, 'locate.mjs');

/** Reports for a product the entry of A, the number begun before it, the number of all, and whether it recognizes its memory. */
writeFileSync(
  module,
  `import { openFunctionKernel } from '${built}';
   export async function locate() {
     const seen = new WeakSet();
     let begun = 0;
     return openFunctionKernel({
       name: 'mine',
       async multiply(a) {
         const told = [a[0], begun++];
         await new Promise(setImmediate);
         const knows = seen.has(a);
         seen.add(a);
         return Float32Array.of(...told, begun, knows);
       },
     });
   }`,
);

const opened: KernelSession<ProductInput>[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close?.()));
  rmSync(folder, { recursive: true });
});

const factors = (entry: number): ProductInput => ({
  operands: { a: matrix(4, 1, new Float32Array(4).fill(entry)), b: matrix(1, 1, Float32Array.of(1)) },
});

async function told(session: KernelSession<ProductInput>, asked: ProductInput): Promise<number[]> {
  return [...(await productFrom(session, asked)).c.data];
}

function open(spec: Partial<FunctionKernel>): KernelSession<ProductInput> {
  const session = openInHost({ name: 'mine', ...spec }, { module: pathToFileURL(module).href, args: {} });
  opened.push(session);
  return session;
}

itWhole(
  'a function in a host has several products in flight, memory that is used again, and begins anew',
  async () => {
    const session = open({ multiply: () => new Float32Array() });
    const inFlight = { before: [factors(5)], after: [factors(6), factors(7)] };
    expect(await told(session, { ...factors(2), inFlight })).toEqual([2, 1, 4, 0]);
    expect(await told(session, { ...factors(3), memory: 'again' })).toEqual([3, 4, 5, 1]);
    expect(await told(session, { ...factors(4), memory: 'again' })).toEqual([4, 5, 6, 1]);
    expect(await told(session, factors(2))).toEqual([2, 6, 7, 0]);
    await session.renew?.();
    expect(await told(session, factors(2))).toEqual([2, 0, 1, 0]);
  },
);

it('what is no function is asked for one product at a time', async () => {
  const inFlight = { before: [factors(5)], after: [] };
  const asked = { ...factors(2), inFlight, memory: 'again' } as const;
  expect(await told(open({}), asked)).toEqual([2, 0, 1, 0]);
});
