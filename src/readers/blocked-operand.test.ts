import { expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { blockErrors } from './block-errors.ts';
import { blockedOperand } from './blocked-operand.ts';

it('rows are summed in blocks: sizes, the largest and squares', () => {
  const x = matrix(2, 5, Float64Array.of(1, -2, 3, 4, -5, 0, 6, -7, 1, 2));
  expect(blockedOperand(x, 2, undefined)).toMatchObject({
    blocks: 3,
    plain: Float64Array.of(3, 7, 5, 6, 8, 2),
    most: Float64Array.of(2, 4, 5, 6, 7, 2),
    squares: Float64Array.of(5, 25, 25, 36, 50, 4),
    ...{ exact: true, largest: 7, variances: undefined },
  });
  const apart = blockedOperand(x, 1, undefined);
  expect(apart).toMatchObject({ blocks: 5, plain: x.data.map(Math.abs), squares: x.data.map((e) => e * e) });
  expect(apart.most).toEqual(apart.plain);
});

it('sizes of blocks are |alpha||A||B| + |beta||C|, in all panels of rows', () => {
  const m = 257;
  const a = matrix(
    m,
    1,
    Float64Array.from({ length: m }, (_, i) => (i % 2 === 0 ? 1 : -1) * (i + 1)),
  );
  const b = matrix(1, 3, Float64Array.of(1, -2, 4));
  const c = matrix(m, 3, new Float64Array(3 * m).fill(-5));
  const gemm = { ...plainGemm({ m, k: 1, n: 3 }), alpha: -2, beta: 3 };
  const squares = { product: new Float64Array(2 * m), value: new Float64Array(2 * m) };
  const computation = applyClaims(singlePrecision);
  const { size, largest, bound } = blockErrors({ a, b, c }, { gemm, computation, width: 2, squares });
  for (let i = 0; i < m; i++) {
    expect(size[2 * i]).toBeCloseTo(2 * 3 * (i + 1) + 3 * 10, 9);
    expect(size[2 * i + 1]).toBeCloseTo(2 * 4 * (i + 1) + 3 * 5, 9);
    expect(largest[2 * i]).toBeCloseTo(2 * 2 * (i + 1) + 3 * 5, 9);
    expect(bound[2 * i]).toBeGreaterThan(2 ** -24 * size[2 * i]);
  }
});
