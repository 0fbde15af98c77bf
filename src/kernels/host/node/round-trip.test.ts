import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../../../base/in-short.testing.ts';
import type { Gemm } from '../../../matrix/gemm.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { productFrom } from '../../tampered.testing.ts';
import {
  computeExpected,
  gemms,
  MULTIPLY,
  makeTestOperands,
  withSeparateResult,
} from '../../whole-gemm.testing.ts';
import { openInHost } from './open-in-host.ts';
import { openProgram } from './open-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'round-trip-'));
const opened: KernelSession<ProductInput>[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close?.()));
  rmSync(folder, { recursive: true });
});

const keep = (session: KernelSession<ProductInput>) => {
  opened.push(session);
  return session;
};

/** Opens a function in the package's own host; it writes D in the layout requested. */
function openFunction() {
  const module = join(folder, 'function.mjs');
  const built = new URL('../../../../dist/kernels/function-kernel.js', import.meta.url).href;
  writeFileSync(
    module,
    `import { openFunctionKernel } from '${built}';
     ${MULTIPLY}
     const multiply = (a, b, gemm, c, d) => (eachEntry(a, b, gemm, c, (entry, place) => { d[place(gemm.d)] = entry; }), d);
     const multiplyGroup = (list) => list.map(({ a, b, gemm, c, d }) => multiply(a, b, gemm, c, d));
     export const locate = async () => openFunctionKernel({ name: 'mine', accepts: 'everything', multiply, multiplyGroup });`,
  );
  return keep(openInHost({ name: 'mine' }, { module: pathToFileURL(module).href, args: {} }));
}

/** Opens a worker that reads every file as \`problem\` says; \`answer\` gets what it read, and answers. */
function openWorker(answer: string) {
  const source = `${MULTIPLY}
    let held = Buffer.alloc(0);
    const npy = (entries, shape) => {
      const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape.join(', ') + '), }';
      const start = Buffer.from('\\x93NUMPY\\x01\\x00v\\x00', 'latin1');
      return Buffer.concat([start, Buffer.from(header.padEnd(117) + '\\n'), Buffer.from(entries.buffer)]);
    };
    // A file of two dimensions holds a matrix alone, row by row or column by column, whatever its memory is like.
    const read = (file) => {
      const end = 10 + file.readUInt16LE(8);
      const header = file.subarray(10, end).toString();
      const [rows, cols] = /\\((.*)\\)/.exec(header)[1].split(',').filter((size) => size.trim() !== '').map(Number);
      const data = new Float32Array(Uint8Array.from(file.subarray(end)).buffer);
      if (cols === undefined) return { data };
      const isColumns = header.includes('True');
      return { data, laid: { op: 'n', order: isColumns ? 'column' : 'row', ld: isColumns ? rows : cols, offset: 0, stride: 0 } };
    };
    process.stdin.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      for (;;) {
        const end = held.indexOf('\\n') + 1;
        if (end === 0) return;
        const request = JSON.parse(held.subarray(0, end));
        const names = ['a', 'b', 'c'].filter((name) => request[name] !== undefined);
        const bytes = (one) => (one.a ?? 0) + (one.b ?? 0) + (one.c ?? 0);
        const beside = request.beside?.products ?? [];
        const all = [request, ...beside].reduce((sum, one) => sum + bytes(one), end);
        if (held.length < all) return;
        let at = end;
        const files = names.map((name) => read(held.subarray(at, (at += request[name]))));
        held = held.subarray(all);
        const say = (line, file = '') => {
          process.stdout.write(JSON.stringify({ id: request.id, ...line }) + '\\n');
          process.stdout.write(file);
        };
        const { problem } = request;
        const product = () => {
          const gemm = { ...problem };
          names.forEach((name, i) => { gemm[name] = files[i].laid ?? problem[name]; });
          const d = new Float32Array(gemm.batch * gemm.m * gemm.n);
          const [a, b, c] = files;
          eachEntry(a.data, b.data, gemm, c?.data, (entry, place, e) => { d[e] = entry; });
          return d;
        };
        (${answer})({ problem, files, product, say, npy });
      }
    });`;
  const program = { command: [process.execPath, '-e', source], mode: 'worker' } as const;
  return keep(openProgram({ name: 'mine', accepts: 'everything', program }, { cwd: folder }));
}

const HONEST = `({ problem: { m, n, batch }, product, say, npy }) => {
  const file = npy(product(), batch === 1 ? [m, n] : [batch, m, n]);
  say({ d: file.length }, file);
}`;

describe.each([
  ['a function in a host of ours', openFunction()],
  ['a worker', openWorker(HONEST)],
])('%s', (_, session) => {
  it.each(inShort(gemms, 4))('gets and gives %s', async (_, over) => {
    for (const gemm of [over, withSeparateResult(over)]) {
      const operands = makeTestOperands(gemm);
      const { c, unwritten, overwritten, changed } = await productFrom(session, { operands, gemm });
      expect([...c.data]).toEqual(computeExpected(operands, gemm));
      expect([c.rows, c.cols]).toEqual([gemm.batch * gemm.m, gemm.n]);
      expect([unwritten, overwritten, changed]).toEqual([0, 0, 0]);
    }
  });

  it('gets lists, and gives the product that is asked', async () => {
    const [, first, second, third] = gemms.map(([, gemm]) => ({
      gemm: { ...gemm, group: 3 },
      operands: makeTestOperands(gemm),
    }));
    for (const beside of [
      { before: [], after: [first, third] },
      { before: [third], after: [first] },
      { before: [third, first], after: [] },
    ]) {
      const { c, unwritten } = await productFrom(session, { ...second, beside });
      expect([...c.data]).toEqual(computeExpected(second.operands, second.gemm));
      expect(unwritten).toBe(0);
    }
  });
});

const named = (what: string): Gemm => {
  const found = gemms.find(([name]) => name === what);
  if (found === undefined) throw new Error(what);
  return found[1];
};

itWhole(
  'a worker gets no C without beta, NaN for what it is not to read, and d only where D lies apart',
  async () => {
    const session = openWorker(`({ problem, files, say }) => say({
    error: [files.length, 'd' in problem, ...files.map(({ data }) => data.every(Number.isNaN))].join(),
  })`);
    const seen = async (gemm: Gemm) => {
      const told = productFrom(session, { operands: makeTestOperands(gemm), gemm });
      return (await told.catch((error) => error)).message;
    };
    expect(await seen(named('nothing but A·B'))).toContain(': 2,false,false,false.');
    expect(await seen(named('alpha = 0'))).toContain(': 3,false,true,true,false. A file of one dimension');
    expect(await seen(withSeparateResult(named('beta')))).toContain(
      ': 3,true,false,false,false. A file of one dimension',
    );
  },
);

const FLAT =
  'A file of one dimension is the memory of a matrix, as "problem" describes. If it cannot read this, reduce its "accepts".';

it.each(
  inShort(
    [
      [
        'gives one product of a batch',
        '({ say, npy }) => { const d = npy(new Float32Array(8), [2, 4]); say({ d: d.length }, d); }',
        'a batch',
        'its D.npy is 2×4, expected 3×2×4, the products of the batch in order.',
      ],
      [
        'takes no list',
        `({ say }) => say({ error: 'matmul: not enough dimensions.' })`,
        'offsets',
        `mine threw an error: matmul: not enough dimensions. ${FLAT}`,
      ],
    ],
    3,
  ),
)('a worker that %s is told what to change', async (_, answer, what, says) => {
  const gemm = named(what);
  const told = productFrom(openWorker(answer), { operands: makeTestOperands(gemm), gemm });
  await expect(told).rejects.toThrow(says);
});

it('a worker whose product was plain is told nothing of lists', async () => {
  const gemm = named('nothing but A·B');
  const told = productFrom(openWorker(`({ say }) => say({ error: 'oh no' })`), {
    operands: makeTestOperands(gemm),
    gemm,
  });
  await expect(told).rejects.toThrow(/^mine threw an error: oh no\.$/);
});
