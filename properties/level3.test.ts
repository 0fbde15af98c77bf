import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import type { CaseResult } from '../src/evidence/case-result.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import type { Evidence } from '../src/evidence/evidence.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { settleFields } from '../src/fuzz/settle-fields.ts';
import type { Machine } from '../src/gpu/device.ts';
import { builtinCaseItems } from '../src/kernels/case-items.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { type BlasSymbol, blasSymbol } from '../src/kernels/files/blas-call.ts';
import { type Level3Fault, level3, level3Faults } from '../src/kernels/files/level3.testing.ts';
import { type BlasFunction, blasKernel } from '../src/kernels/files/node/blas-kernel.ts';

import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { type Case, formatCase, parseCase } from '../src/problem/case.ts';
import { drawFields } from '../src/problem/draw-fields.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'level3-'));
  writeFileSync(join(folder, 'libx.so'), 'no library');
});
afterAll(() => rmSync(folder, { recursive: true }));

type Numbers = ArrayLike<number | bigint>;

/** The order of arguments in Fortran's convention, from the documents of BLAS. */
const ORDERS: Readonly<Record<string, string>> = {
  gemmt: 'uplo transa transb n k alpha a lda b ldb beta c ldc',
  syrk: 'uplo transa n k alpha a lda beta c ldc',
  herk: 'uplo transa n k alpha a lda beta c ldc',
  syr2k: 'uplo transa n k alpha a lda b ldb beta c ldc',
  her2k: 'uplo transa n k alpha a lda b ldb beta c ldc',
  symm: 'side uplo m n alpha a lda b ldb beta c ldc',
  hemm: 'side uplo m n alpha a lda b ldb beta c ldc',
  trmm: 'side uplo transa diag m n alpha a lda c ldc',
};
const TEXTS = ['side', 'uplo', 'transa', 'transb', 'diag'];
const ENUMS: Readonly<Record<number, string>> = {
  ...{ 111: 'N', 112: 'T', 113: 'C', 121: 'U', 122: 'L', 131: 'N', 132: 'U', 141: 'L', 142: 'R' },
};

/** Returns a library's function by a convention. CBLAS of rows is Fortran's call of the transposes. */
function libraryOf({ operation, precision, convention }: BlasSymbol, fault?: Level3Fault): BlasFunction {
  const wide = precision.startsWith('c') ? 2 : 1;
  const names = ORDERS[operation].split(' ');
  return (...args) => {
    const given = convention === 'cblas' ? args.slice(1) : args;
    const value = (name: string): unknown => {
      const of = given[names.indexOf(name)];
      if (!names.includes(name)) return name === 'beta' || name === 'alpha' ? [0, 0] : undefined;
      if (TEXTS.includes(name))
        return convention === 'cblas' ? ENUMS[of as number] : String.fromCharCode(Number((of as Numbers)[0]));
      if (['a', 'b', 'c'].includes(name)) return of;
      const all = typeof of === 'number' ? [of] : Array.from(of as Numbers, Number);
      return name === 'alpha' || name === 'beta' ? [all[0], all[1] ?? 0] : all[0];
    };
    const keys = 'side uplo transa transb diag m n k alpha beta a lda b ldb c ldc'.split(' ');
    const call = Object.fromEntries(keys.map((key) => [key, value(key)])) as never;
    level3(
      operation as never,
      wide,
      convention === 'cblas' && args[0] === 101 ? byRows(call, operation) : call,
      fault,
    );
  };
}

/** The call for column-major matrices that computes the transpose of one of rows, as the reference CBLAS makes it. */
function byRows(call: Parameters<typeof level3>[2], operation: string): typeof call {
  const uplo = call.uplo === 'U' ? 'L' : 'U';
  if (operation === 'gemmt')
    return {
      ...call,
      uplo,
      transa: call.transb,
      transb: call.transa,
      a: call.b,
      lda: call.ldb,
      b: call.a,
      ldb: call.lda,
    };
  if (/^(symm|hemm|trmm)$/.test(operation))
    return { ...call, uplo, side: call.side === 'L' ? 'R' : 'L', m: call.n, n: call.m };
  const other = operation.startsWith('he') ? 'C' : 'T';
  const { alpha } = call;
  return {
    ...{ ...call, uplo, transa: call.transa === 'N' ? other : 'N' },
    alpha: operation === 'her2k' ? [alpha[0], -alpha[1]] : alpha,
  };
}

async function kernelOf(name: string, fault?: Level3Fault) {
  const symbol = blasSymbol(name) as BlasSymbol;
  const origin = { name: 'mine', file: 'libx.so', path: join(folder, 'libx.so'), symbol: name, ways: {} };
  const spec = await blasKernel(origin, () => ({
    ...{ multiply: libraryOf(symbol, fault), address: () => 0n, versions: {} },
  }));
  const precision = precisions.find(symbol.precision);
  return externalKernel(spec, openFunctionKernel(spec, undefined, precision), applyClaims(precision));
}
type Judged = Awaited<ReturnType<typeof kernelOf>>;

async function judged(kernel: Judged, value: Case): Promise<CaseResult> {
  const found = await new Evaluator(exactProduct).attempt({ case: value, kernel }, {} as Machine);
  return resultOf(value, kernel, found, defaultThresholds);
}

/** Draws cases of a kernel, whole numbers and others in turn. */
function casesOf(kernel: Judged, count: number, seed: number): Case[] {
  const random = createRandom(seed, 1);
  const space = { maxSize: 13, tiles: [4], features: kernel.takes ?? {} };
  const keys = ['m', 'k', 'n', 'seed', 'alpha', 'beta', 'a', 'b', 'c', 'structure'] as const;
  return Array.from({ length: count }, (_, at) => {
    const drawn = drawFields(keys, space, (least, most) => random.int(least, most));
    const families = ['integers', 'uniform'].map(builtinCaseItems.inputs.find);
    const limits = { precision: kernel.precision, growth: kernel.growth };
    const target = { kernel: 'mine', limits, refuses: (asked: never) => kernel.refuses?.(asked) };
    const made = settleFields(
      { ...drawn, input: at % 2 === 0 ? 'integers' : 'uniform' },
      target as never,
      families,
    );
    return made === undefined ? [] : [made];
  }).flat();
}

const names = ['s', 'd', 'c', 'z'].flatMap((kind) =>
  Object.keys(ORDERS).flatMap((operation) =>
    operation.startsWith('he') && /[sd]/.test(kind)
      ? []
      : [`${kind}${operation}_`, `cblas_${kind}${operation}`],
  ),
);

test.each(inShort(names, 14))('an honest %s passes all cases', async (name) => {
  const kernel = await kernelOf(name);
  const cases = casesOf(kernel, 30, 1);
  expect(cases.length).toBeGreaterThan(20);
  for (const value of cases) {
    const { verdict, reason } = await judged(kernel, value);
    expect({ verdict, reason, of: formatCase(value) }).toMatchObject({ verdict: 'pass' });
  }
});

/** −i·A·Bᴴ + i·B·Aᴴ of packed operands: each of the two sums is complete before they are subtracted. */
const her2k: FunctionKernel['multiply'] = (a, b, { m, k }) => {
  const d = new Float64Array(2 * m * m);
  for (let i = 0; i < m; i++)
    for (let j = i; j < m; j++) {
      const [re, im] = [a, b]
        .map((x, at) => sumsOf(x, [b, a][at], i, j, k))
        .reduce((x, y) => [x[0] - y[0], x[1] - y[1]]);
      d.set([im, i === j ? 0 : -re], 2 * (i * m + j));
    }
  return d;
};

function sumsOf(x: ArrayLike<number>, y: ArrayLike<number>, i: number, j: number, k: number): number[] {
  let [re, im] = [0, 0];
  for (let p = 0; p < k; p++) {
    const [u, v] = [2 * (i * k + p), 2 * (j * k + p)];
    re += x[u] * y[v] + x[u + 1] * y[v + 1];
    im += x[u + 1] * y[v] - x[u] * y[v + 1];
  }
  return [re, im];
}

test('an imaginary alpha subtracts two large sums of positive terms, so no sigma is known', async () => {
  const accepts = { structure: 'her2k-upper', alpha: true, complexFactors: true };
  const spec = { name: 'mine', precision: 'c64', accepts, multiply: her2k };
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(precisions.find('c64')));
  const text = 'kernel=mine;precision=c64;input=relu;m=7;k=8000;n=7;structure=her2k-upper;alpha=-1i';
  for (const seed of [1, 2, 3]) {
    const { verdict, reason } = await judged(kernel, parseCase(`${text};seed=${seed}`));
    expect({ verdict, reason }).toMatchObject({ verdict: 'pass' });
  }
});

describe('a mistake of a library fails', () => {
  const faulty: Readonly<Record<Level3Fault, readonly string[]>> = {
    'other-triangle-written': ['ssyrk_', 'sgemmt_', 'zher2k_', 'cblas_dsyr2k'],
    'beta-on-all': ['ssyrk_', 'sgemmt_', 'cherk_'],
    'unit-diagonal-read': ['strmm_', 'ztrmm_'],
    'other-triangle-read': ['strmm_', 'ssymm_', 'chemm_'],
    'not-mirrored': ['ssymm_', 'zhemm_'],
    'diagonal-not-real': ['cherk_', 'zher2k_'],
    'addend-not-real': ['cherk_', 'zher2k_'],
    'not-overwritten': ['strmm_', 'cblas_ctrmm'],
    'diagonal-blocks': ['ssyrk_', 'dsyr2k_', 'cgemmt_', 'zherk_'],
    'alpha-twice': ['ssyrk_', 'strmm_', 'ssymm_', 'zhemm_'],
    'one-product': ['ssyr2k_', 'cher2k_'],
    'alpha-not-conjugated': ['cher2k_'],
    'not-conjugated': ['cherk_', 'chemm_'],
    'last-column': ['ssyrk_', 'strmm_', 'ssymm_', 'zgemmt_'],
    side: ['strmm_', 'ssymm_'],
    'wrong-triangle': ['ssyrk_', 'strmm_', 'ssymm_', 'sgemmt_'],
  };
  const rows = level3Faults.flatMap((fault) => faulty[fault].map((name) => [fault, name] as const));
  test.each(inShort(rows, 16))('%s of %s', async (fault, name) => {
    const kernel = await kernelOf(name, fault);
    const found = [];
    for (const value of casesOf(kernel, 60, 2)) {
      found.push(await judged(kernel, value));
      if (found.at(-1)?.verdict === 'fail') break;
    }
    expect(found.at(-1)?.verdict).toBe('fail');
  });
});

test.each<[string, string, Level3Fault, string, RegExp]>([
  [
    'ssyrk_',
    'syrk-lower',
    'other-triangle-written',
    'beta=2',
    /words outside the lower triangle of C were overwritten/,
  ],
  [
    'strmm_',
    'trmm-left-upper-unit',
    'unit-diagonal-read',
    '',
    /the diagonal of A was read, which is of ones/,
  ],
  [
    'strmm_',
    'trmm-right-upper',
    'other-triangle-read',
    '',
    /entries of B outside its upper triangle were read/,
  ],
  ['strmm_', 'trmm-left-lower', 'not-overwritten', '', /D is the dense operand, not multiplied/],
  ['ssymm_', 'symm-left-lower', 'not-mirrored', 'beta=1', /only the stored triangle of A was multiplied/],
  ['ssyr2k_', 'syr2k-upper', 'one-product', 'alpha=3', /B·Aᵀ was not added/],
  ['ssyrk_', 'syrk-lower', 'alpha-twice', 'alpha=3', /alpha was applied twice/],
  ['cherk_', 'herk-upper', 'addend-not-real', 'beta=2', /The diagonal is not real: entry \(0, 0\)/],
  ['cherk_', 'herk-lower', 'diagonal-not-real', '', /The diagonal is not real/],
])('%s of %s says its mistake: %s', async (name, structure, fault, more, says) => {
  const precision = name.startsWith('c') ? 'c32' : 'f32';
  for (const input of ['integers', 'uniform']) {
    const text = `kernel=mine;m=11;k=11;n=11;input=${input};structure=${structure};precision=${precision};${more}`;
    const result = await judged(await kernelOf(name, fault), parseCase(text));
    expect(result.verdict).toBe('fail');
    expect(result.reason + JSON.stringify(result.checks)).toMatch(says);
  }
});

test.each([
  ['ssyr2k_', 'syr2k-lower', 'f32', Math.SQRT2],
  ['csyrk_', 'syrk-lower', 'c32', Math.SQRT2],
  ['ssyrk_', 'syrk-lower', 'f32', 1],
])(
  'terms of the diagonal that occur twice are expected to err alike: %s',
  async (name, structure, precision, ratio) => {
    const kernel = await kernelOf(name);
    // With equal rows, all entries are the same sum.
    const text = `kernel=mine;m=4;k=9;n=4;input=uniform;edit=equal-rows;structure=${structure};precision=${precision}`;
    const found = await new Evaluator(exactProduct).attempt({ case: parseCase(text), kernel }, {} as Machine);
    const sigma = (found as Evidence).analysis?.sigma.data ?? [];
    expect(sigma[0] / sigma[1]).toBeCloseTo(ratio, 6);
  },
);
