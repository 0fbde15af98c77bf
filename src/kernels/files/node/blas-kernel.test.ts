import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNotAccepted } from '../../../matrix/features.ts';
import type { Entries } from '../../../matrix/operands.ts';
import { openFunctionKernel } from '../../function-kernel.ts';
import { productFrom } from '../../tampered.testing.ts';
import { computeExpected, gemms, makeTestOperands, specialGemms } from '../../whole-gemm.testing.ts';
import type { FileOrigin } from '../file-origin.ts';
import { type BlasFunction, blasKernel, nativeCalls } from './blas-kernel.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blas-'));
  writeFileSync(join(folder, 'libx.so'), 'no library: \0cblas_dgemm\0dgemm_\0hello\0');
});
afterAll(() => rmSync(folder, { recursive: true }));

const originOf = (symbol: string | undefined, ways: FileOrigin['ways'] = {}): FileOrigin => ({
  ...{ name: 'libx.so#f', file: 'libx.so', path: join(folder, 'libx.so'), symbol, ways },
});

/** A library of functions that take arrays, not addresses. */
const library = { address: () => 0n, versions: {} };

type Numbers = ArrayLike<number | bigint>;
const first = (of: unknown) => Number((of as Numbers)[0]);

/** Computes C = alpha·op(A)·op(B) + beta·C by columns; it refuses arguments that the documents of BLAS forbid. */
function byColumns(
  [isTransposedA, isTransposedB]: readonly boolean[],
  [m, n, k]: readonly number[],
  [alpha, beta]: readonly number[],
  [a, lda, b, ldb, c, ldc]: readonly [Numbers, number, Numbers, number, number[], number],
): void {
  const least = [isTransposedA ? k : m, isTransposedB ? n : k, m];
  if ([lda, ldb, ldc].some((ld, at) => ld < Math.max(1, least[at]))) throw new Error('a leading dimension');
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < (alpha === 0 ? 0 : k); l++)
        sum +=
          Number(a[isTransposedA ? i * lda + l : l * lda + i]) *
          Number(b[isTransposedB ? l * ldb + j : j * ldb + l]);
      c[j * ldc + i] = alpha * sum + (beta === 0 ? 0 : beta * c[j * ldc + i]);
    }
  }
}

/** The Fortran convention: all arguments in memory; 84 is a T. */
const fortran: BlasFunction = (...args) => {
  const [ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, ...lengths] = args;
  expect(lengths).toEqual([1, 1]);
  const isT = [ta, tb].map((letter) => first(letter) === 84);
  const matrices = [a, first(lda), b, first(ldb), c, first(ldc)] as Parameters<typeof byColumns>[3];
  byColumns(isT, [m, n, k].map(first), [alpha, beta].map(first), matrices);
};

/** The convention of cblas.h: rows are columns of transposes. */
const cblas: BlasFunction = (...args) => {
  const [layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc] = args as number[];
  const [isA, isB] = [ta === 112, tb === 112];
  const of = (...all: unknown[]) => all as unknown as Parameters<typeof byColumns>[3];
  if (layout === 102) byColumns([isA, isB], [m, n, k], [alpha, beta], of(a, lda, b, ldb, c, ldc));
  else byColumns([isB, isA], [n, m, k], [alpha, beta], of(b, ldb, a, lda, c, ldc));
};

test.each([
  ['sgemm_', fortran],
  ['dgemm_64_', fortran],
  ['cblas_dgemm', cblas],
  ['cblas_sgemm64_', cblas],
])('%s is asked for all that it takes', async (symbol, multiply) => {
  const kernel = await blasKernel(originOf(symbol), () => ({ ...library, multiply, versions: { X: '1' } }));
  const session = openFunctionKernel(kernel);
  const taken = gemms.filter(([, gemm]) => whyNotAccepted(kernel.accepts as object, gemm) === undefined);
  expect(taken.length).toBeGreaterThan(7);
  for (const [what, gemm] of taken) {
    const operands = makeTestOperands(gemm);
    const { c } = await productFrom(session, { operands, gemm });
    expect([...c.data], what).toEqual(computeExpected(operands, gemm));
  }
  expect(await session.versions?.()).toEqual({ X: '1' });
});

/** The typed interface of BLIS: 8 is a transpose, and each matrix has the strides of rows and of columns. */
const blis: BlasFunction = (...args) => {
  const [ta, tb, m, n, k, alpha, a, ra, ca, b, rb, cb, beta, c, rc, cc] = args as number[];
  const of = (x: unknown, row: number, col: number, t: number) => (i: number, j: number) =>
    Number((x as Numbers)[t === 8 ? j * row + i * col : i * row + j * col]);
  const [x, y] = [of(a, ra, ca, ta), of(b, rb, cb, tb)];
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < (first(alpha) === 0 ? 0 : k); l++) sum += x(i, l) * y(l, j);
      const at = i * rc + j * cc;
      const d = c as unknown as number[];
      d[at] = first(alpha) * sum + (first(beta) === 0 ? 0 : first(beta) * d[at]);
    }
  }
};

test('a function of BLIS is asked for general strides', async () => {
  const kernel = await blasKernel(originOf('bli_dgemm'), () => ({ ...library, multiply: blis }));
  const session = openFunctionKernel(kernel);
  const taken = [...gemms, ...specialGemms].filter(
    ([, gemm]) => whyNotAccepted(kernel.accepts as object, gemm) === undefined,
  );
  expect(taken.map(([what]) => what)).toContain('general strides');
  for (const [what, gemm] of taken) {
    const operands = makeTestOperands(gemm);
    const { c } = await productFrom(session, { operands, gemm });
    expect([...c.data], what).toEqual(computeExpected(operands, gemm));
  }
});

/** Memory of arrays by their addresses, which are far apart. */
const memory: Entries[] = [];
const FAR = 2 ** 24;
const address = (entries: Entries) => BigInt(FAR * memory.push(entries));
const memoryAt = (pointer: bigint): Entries => {
  const entries = memory[Math.floor(Number(pointer) / FAR) - 1];
  return entries.subarray((Number(pointer) % FAR) / entries.BYTES_PER_ELEMENT) as Entries;
};

/** Calls a function of one product for each address of a batched call. `first` and the sizes of groups are those of the interface. */
const batched =
  (one: BlasFunction, layouts: number): BlasFunction =>
  (...args) => {
    const layout = args.slice(0, layouts);
    const arrays = args.slice(layouts, layouts + 13) as Numbers[];
    const [count, sizes] = args.slice(layouts + 13) as [Numbers | number, Numbers];
    let at = 0;
    for (let g = 0; g < (layouts === 1 ? Number(count) : first(count)); g++) {
      for (let p = 0; p < Number(sizes[g]); p++, at++) {
        const own = arrays.map((array, place) => {
          if ([6, 8, 11].includes(place)) return memoryAt(BigInt(array[at]));
          return layouts === 1 ? Number(array[g]) : [Number(array[g])];
        });
        one(...layout, ...own, ...(layouts === 1 ? [] : [1, 1]));
      }
    }
  };

test.each([
  ['cblas_dgemm_batch', cblas, 1],
  ['sgemm_batch_64_', fortran, 0],
] as const)('%s is asked for batches by lists of addresses, and for groups', async (symbol, one, layouts) => {
  const multiply = batched(one, layouts);
  const kernel = await blasKernel(originOf(symbol), () => ({ ...library, address, multiply }));
  const session = openFunctionKernel(kernel);
  const taken = [...gemms, ...specialGemms].filter(
    ([, gemm]) => whyNotAccepted(kernel.accepts as object, gemm) === undefined,
  );
  expect(taken.map(([what]) => what)).toContain('batches by a list of addresses');
  const jobs = taken.map(([what, gemm]) => ({ what, operands: makeTestOperands(gemm), gemm }));
  for (const job of jobs) {
    const others = jobs.filter(({ gemm }) => gemm.c.order === job.gemm.c.order).slice(0, 3);
    for (const beside of [undefined, { before: others, after: [] }]) {
      const { c } = await productFrom(session, { ...job, beside });
      expect([...c.data], job.what).toEqual(computeExpected(job.operands, job.gemm));
    }
  }
});

test.each<[string | undefined, FileOrigin['ways'], string]>([
  [undefined, {}, 'its function must be named, as in libx.so#sgemm_.'],
  [
    'mul',
    {},
    'the name mul does not imply a calling convention: give --convention fortran, cblas or blis; the nearest names are dgemm_, cblas_dgemm.',
  ],
  ['mul', { convention: 'cblas' }, 'the name mul does not imply a precision: give --precision f32 or f64.'],
  ['mul', { convention: 'cblas', precision: 'f16' }, 'BLAS has products in f32 and f64, not in f16.'],
])('%s with %o is refused in a sentence', async (symbol, ways, sentence) => {
  await expect(blasKernel(originOf(symbol, ways))).rejects.toThrow(
    `The library libx.so cannot be used: ${sentence}`,
  );
});

test('a name says its precision whatever is asked for, and its convention unless one is', async () => {
  const kernel = await blasKernel(
    originOf('sgemm_', { precision: 'f64', convention: 'cblas' }),
    (_, __, symbol) => {
      expect(symbol).toEqual({ operation: 'gemm', precision: 'f32', convention: 'cblas', isLong: false });
      return { ...library, multiply: cblas };
    },
  );
  expect(kernel.precision).toBe('f32');
  kernel.prepare?.();
  expect.assertions(2);
});

test('what is no library is told when it is loaded, and a missing file before', async () => {
  const kernel = await blasKernel(originOf('sgemm_'));
  expect(() => kernel.prepare?.()).toThrow(
    /^The library libx\.so cannot be used: it cannot be loaded: .*\.$/,
  );
  await expect(blasKernel({ ...originOf('sgemm_'), path: '/no/lib.so' })).rejects.toThrow(
    'it does not exist',
  );
});

test('where what calls libraries is missing, that is said, and the library is not blamed', async () => {
  const missing = (file: string) =>
    nativeCalls(file, () => {
      throw new Error('Cannot find the native Koffi module.');
    });
  await expect(blasKernel(originOf('sgemm_'), undefined, missing)).rejects.toMatchObject({
    ...{ code: 'no-native-calls', exitCode: 4, blames: 'nobody' },
    message: expect.stringMatching(/^libx\.so cannot be tested on this machine: koffi, .*Install/),
  });
});
