import { describe, expect, it } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { roundingTo } from '../base/rounding.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { tamperKernel } from '../kernels/tampered.testing.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { f32 } from '../precision/format.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { singlePrecision } from '../precision/single.ts';
import {
  allowanceOf,
  classicalError,
  gradeProduct,
  type ReachedGrade,
  reachesGrade,
  worseGrade,
} from './grade.ts';
import { gradeKernel } from './grade-kernel.ts';
import { wholeReference } from './whole-reference.ts';

const computation = applyClaims(singlePrecision);
const classical = modelKernel('classical', computation);
const strassen = modelKernel('strassen', computation);
const sizes = [16];

/** Returns a kernel that changes the operands before another multiplies them, and the result after. */
function around(
  inner: Kernel,
  change: (a: Matrix, b: Matrix) => readonly [Matrix, Matrix],
  after: (c: Matrix, a: Matrix, b: Matrix) => Matrix = (c) => c,
): Kernel {
  return tamperKernel({ ...inner, ...computation }, async (job, honest) => {
    const { a, b } = job.operands;
    const [x, y] = change(a, b);
    const product = await honest({ ...job, operands: { a: x, b: y } });
    return { ...product, c: after(product.c, a, b) };
  });
}

const mapped = (x: Matrix, entry: (value: number, i: number, j: number) => number) =>
  matrix(
    x.rows,
    x.cols,
    Float32Array.from(x.data, (value, e) => entry(value, Math.floor(e / x.cols), e % x.cols)),
  );
const exponent = (value: number) => Math.floor(Math.log2(value));
const rowExponent = (x: Matrix, i: number) =>
  exponent(Math.max(...x.data.subarray(i * x.cols, (i + 1) * x.cols).map(Math.abs)));
const columnExponent = (x: Matrix, j: number) =>
  exponent(Math.max(...Array.from({ length: x.rows }, (_, i) => Math.abs(x.data[i * x.cols + j]))));
const whole = (x: Matrix) => exponent(Math.max(...x.data.map(Math.abs)));
/** Rounds to fixed point, 24 bits below an exponent. */
const fixed = (value: number, e: number) => Math.round(value * 2 ** (24 - e)) * 2 ** (e - 24);

const fixedByMatrix = around(classical, (a, b) => [
  mapped(a, (x) => fixed(x, whole(a))),
  mapped(b, (x) => fixed(x, whole(b))),
]);
const fixedByRow = around(classical, (a, b) => [
  mapped(a, (x, i) => fixed(x, rowExponent(a, i))),
  mapped(b, (x, _, j) => fixed(x, columnExponent(b, j))),
]);
/** Strassen's algorithm with rows of A and columns of B scaled to one size first, and C scaled back. */
const scaledStrassen = around(
  strassen,
  (a, b) => [
    mapped(a, (x, i) => x * 2 ** -rowExponent(a, i)),
    mapped(b, (x, _, j) => x * 2 ** -columnExponent(b, j)),
  ],
  (c, a, b) => mapped(c, (x, i, j) => x * 2 ** (rowExponent(a, i) + columnExponent(b, j))),
);
const truncating = (bits: number) => (x: Matrix) => mapped(x, roundingTo(bits, -126, f32.maxFinite));

describe('the grade of a kernel', () => {
  it.each<[string, Kernel, ReachedGrade]>([
    ['a classical product', classical, 'A'],
    ['fixed point with an exponent a row and column', fixedByRow, 'B'],
    ['Strassen’s with rows and columns scaled', scaledStrassen, 'B'],
    ['fixed point with an exponent a matrix', fixedByMatrix, 'C'],
    ['Strassen’s', strassen, 'C'],
    ['Winograd’s', modelKernel('winograd', computation), 'C'],
    ['operands of 11 bits', around(classical, (a, b) => [truncating(11)(a), truncating(11)(b)]), 'none'],
    ['operands of 16 bits', around(classical, (a, b) => [truncating(16)(a), truncating(16)(b)]), 'none'],
    ['the opposite sign', around(classical, (a, b) => [mapped(a, (x) => -x), b]), 'none'],
    ['zeros', around(classical, (a, b) => [mapped(a, () => 0), b]), 'none'],
    [
      'one NaN',
      around(
        classical,
        (a, b) => [a, b],
        (c) => mapped(c, (x, i, j) => (i === 3 && j === 5 ? Number.NaN : x)),
      ),
      'none',
    ],
  ])('of %s', async (_, kernel, grade) => {
    expect((await gradeKernel(kernel, { sizes })).grade).toBe(grade);
  });

  it.each(inShort(['f16', 'bf16-f32', 'tf32-f32', 'f64'], 2))(
    'in %s is judged by its own precision',
    async (precision) => {
      const own = applyClaims(precisions.find(precision));
      expect((await gradeKernel(modelKernel('classical', own), { sizes })).grade).toBe('A');
      expect((await gradeKernel(modelKernel('strassen', own), { sizes })).grade).toBe('C');
    },
  );

  it('is that of the sizes it multiplies', async () => {
    const only: Kernel = { ...classical, refuses: ({ m }) => (m === 32 ? undefined : 'it is not 32') };
    const { trials } = await gradeKernel(only);
    expect(new Set(trials.map(({ n }) => n))).toEqual(new Set([32]));
    const none: Kernel = { ...classical, refuses: () => 'it is tired' };
    await expect(gradeKernel(none)).rejects.toThrow(/because it is tired/);
  });

  it('is refused where even zeros would reach C', async () => {
    const half = modelKernel('classical', applyClaims(precisions.find('f16')));
    await expect(gradeKernel(half, { sizes: [64] })).rejects.toThrow(
      'A size for grading must be a whole number from 1, at which f16 can be graded, such as 16, but is 64.',
    );
    expect(
      (await gradeKernel({ ...half, refuses: ({ m }) => (m > 16 ? 'it is slow' : undefined) })).grade,
    ).toBe('A');
  });
});

describe('the grade of a product', () => {
  const a = matrix(1, 2, Float32Array.of(1, 1));
  const b = matrix(2, 1, Float32Array.of(1, -1));
  const graded = (found: number) =>
    gradeProduct(
      {
        operands: { a, b },
        outcomes: [{ c: matrix(1, 1, Float32Array.of(found)) }],
        reference: wholeReference({ a, b }),
      },
      allowanceOf(computation, 2),
    );

  it('is A up to the error of a classical product, and no grade beyond that of C', () => {
    const most = 2 * classicalError(computation, 2);
    expect(classicalError(computation, 2)).toBeCloseTo(2 ** -23, 12);
    expect(graded(0).grade).toBe('A');
    expect(graded(0.999 * most).grade).toBe('A');
    expect(graded(1.001 * most).grade).toBe('none');
    expect(graded(1.001 * most).worst.A).toMatchObject({
      i: 0,
      j: 0,
      expected: 0,
      ratio: expect.closeTo(1.001, 5),
    });
  });

  it('orders grades', () => {
    expect(worseGrade('B', 'A')).toBe('B');
    expect(worseGrade('C', 'none')).toBe('none');
    expect([
      reachesGrade('A', 'B'),
      reachesGrade('B', 'B'),
      reachesGrade('C', 'B'),
      reachesGrade('none', 'C'),
    ]).toEqual([true, true, false, false]);
  });
});
