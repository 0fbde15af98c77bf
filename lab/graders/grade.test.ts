import { describe, expect, it } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import type { Entries } from '../../src/matrix/operands.ts';
import type { GraderRequest } from './ask.ts';
import { shrinkProduct } from './ask.ts';
import { checkImprovements } from './check-improvements.ts';
import { equal } from './comparisons.ts';
import { integers } from './fills.ts';
import { fitToFeatures, gradeByProducts } from './grade.ts';
import type { Grader } from './grader.ts';
import { lapack } from './lapack.ts';
import { tryImprovements } from './run.ts';

const options = { seed: 1, most: 2 ** 22 };

/** A·B of dense matrices, with a fault. */
const plain =
  (wrong: (d: Entries, sizes: { m: number; k: number; n: number }) => void): FunctionKernel['multiply'] =>
  (a, b, { m, k, n }, _c, d) => {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let p = 0; p < k; p++) sum = Math.fround(sum + a[i * k + p] * b[p * n + j]);
        d[i * n + j] = sum;
      }
    }
    wrong(d, { m, k, n });
    return d;
  };

const ask = (m: number, k: number, n: number): GraderRequest => ({
  wanted: { m, k, n },
  fill: integers(-3, 3),
  before: 'zeros',
});

const asks = [ask(8, 8, 8)];
/** A grader of one product, which requires exact equality. */
const grader: Grader = {
  ...lapack,
  asks: () => asks,
  gaps: 0,
  guards: false,
  passes: equal,
};

describe('of what a grader wants', () => {
  const wanted = { m: 5, k: 6, n: 7, alpha: 2, a: { order: 'column', pad: 3 }, apart: true } as const;

  it('a kernel is asked for what it takes', () => {
    const everything: FunctionKernel = { name: 'x', accepts: 'everything', multiply: plain(() => {}) };
    expect(fitToFeatures(wanted, everything)).toEqual(wanted);
    const none: FunctionKernel = { name: 'x', multiply: plain(() => {}) };
    expect(fitToFeatures(wanted, none)).toMatchObject({
      m: 5,
      k: 6,
      n: 7,
      alpha: 1,
      beta: 0,
      apart: false,
      a: { order: 'row', pad: 0 },
    });
    expect(fitToFeatures({ ...wanted, a: { op: 't' } }, none)).toBeUndefined();
    expect(fitToFeatures({ ...wanted, batch: 3 }, none)).toBeUndefined();
  });

  it('what is too large is halved where it is largest', () => {
    expect(shrinkProduct({ m: 2048, k: 2048, n: 2048 }, 2 ** 27)).toMatchObject({ m: 512, k: 512, n: 512 });
    expect(shrinkProduct({ m: 63, k: 1023, n: 2047, batch: 8 }, 2 ** 25)).toMatchObject({
      m: 63,
      k: 256,
      n: 256,
      batch: 8,
    });
    expect(shrinkProduct({ m: 1, k: 9, n: 1 }, 4)).toMatchObject({ m: 1, k: 3, n: 1 });
  });
});

describe('a grader that guards memory', () => {
  const guarding = { ...grader, guards: true, gaps: 7 };
  const padded = [{ ...ask(3, 4, 5), wanted: { m: 3, k: 4, n: 5, c: { pad: 2 } } }];
  const writing = (at: number): FunctionKernel => ({
    name: 'x',
    accepts: { leadingDimensions: true },
    multiply: (a, b, { m, k, n }, _c, d) => {
      for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j++) {
          d[7 * i + j] = 0;
          for (let p = 0; p < k; p++) d[7 * i + j] += a[i * k + p] * b[p * n + j];
        }
      d[at] = 9;
      return d;
    },
  });

  it('fails what lies between the lines of D, and nothing else', async () => {
    expect(await gradeByProducts(guarding, padded, writing(5), options)).toMatchObject({
      caught: true,
      why: expect.stringContaining('memory beside D'),
    });
    expect(await gradeByProducts({ ...guarding, guards: false }, padded, writing(5), options)).toMatchObject({
      caught: false,
    });
    expect(
      await gradeByProducts(
        guarding,
        padded,
        {
          ...writing(-1),
          multiply: (a, ...rest) => {
            const d = writing(-1).multiply(a, ...rest) as Float32Array;
            a[0] += 1;
            return d;
          },
        },
        options,
      ),
    ).toMatchObject({ caught: true, why: expect.stringContaining('A was modified') });
  });
});

it('a kernel that throws fails, and one that takes nothing is asked nothing', async () => {
  const throwing: FunctionKernel = {
    name: 'x',
    multiply: () => {
      throw new Error('no');
    },
  };
  expect(await gradeByProducts(grader, asks, throwing, options)).toMatchObject({
    caught: true,
    why: 'it throws no at 8x8x8',
  });
  expect(await gradeByProducts(grader, asks, { ...throwing, accepts: { sizes: 'm=1' } }, options)).toEqual({
    caught: false,
    products: 0,
    work: 0,
  });
});

/** Faults that only one change detects, with a grader that asks for one product of 8×8×8. */
const seen: Readonly<Record<string, (d: Entries, sizes: { m: number; k: number; n: number }) => void>> = {
  'odd-shape': (d, { m }) => {
    if (m === 61) d[0]++;
  },
  vectors: (d, { m, n }) => {
    if (m === 1 || n === 1) d[0]++;
  },
  'long-sums': (d, { k }) => {
    if (k > 4096) d[0]++;
  },
  'large-result': (d, { m, n }) => {
    if (m * n > 2 ** 20) d[0]++;
  },
};

describe('single changes', () => {
  itWhole.each(Object.entries(seen))('%s sees what it is for', async (name, wrong) => {
    const said = await tryImprovements(grader, { name: 'x', multiply: plain(wrong) }, options);
    expect(said[name].caught).toBe(true);
  });

  it('pass an honest kernel, all of them', async () => {
    const said = await tryImprovements(grader, { name: 'x', multiply: plain(() => {}) }, options);
    expect(Object.keys(said)).toEqual(checkImprovements.items.map(({ name }) => name));
    expect(Object.entries(said).filter(([, { caught }]) => caught)).toEqual([]);
  });

  itWhole('ask ten times, and see what comes at the seventh', async () => {
    let calls = 0;
    const kernel = {
      name: 'x',
      multiply: plain((d, { m }) => {
        if (m === 8 && ++calls % 7 === 0) d[3]++;
      }),
    };
    expect((await gradeByProducts(grader, asks, kernel, options)).caught).toBe(false);
    expect((await tryImprovements(grader, kernel, options))['ten-times'].caught).toBe(true);
  });

  itWhole('hold errors to the bound, and see one beyond it', async () => {
    const loose = { ...grader, passes: () => true };
    const off = (by: number) => ({
      name: 'x',
      multiply: plain((d, { m }) => {
        if (m === 8) d[3] *= 1 + by;
      }),
    });
    expect((await tryImprovements(loose, off(2 ** -23), options)).componentwise.caught).toBe(false);
    expect((await tryImprovements(loose, off(1e-3), options)).componentwise.caught).toBe(true);
    expect((await tryImprovements(loose, off(2 ** -23), options)).integers.caught).toBe(true);
  });
});
