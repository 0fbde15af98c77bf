import { expect, it } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { corruptKernel } from '../kernels/tampered.testing.ts';
import { matrix } from '../matrix/dense.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import { defaultThresholds } from './checks/check.ts';
import { Evaluator } from './evaluate.ts';
import { heatMap } from './heat-map.ts';
import { judgeProduct } from './judge-product.ts';
import { resultOf } from './result-of.ts';
import { heatMapOf, maps } from './shown.ts';

const of = (rows: number, cols: number, entries: readonly (number | undefined)[]) =>
  heatMapOf({ rows, cols }, (at) => entries[at]);

it('tells zero, what is not known and what is not finite from sizes, which grow by classes', () => {
  const entries = [0, 1, 2 ** 6.5, 2 ** 13, Number.NaN, Number.NEGATIVE_INFINITY, undefined, 1];
  expect(of(2, 4, entries)).toEqual({ of: [2, 4], rows: 2, cols: 4, between: [1, 8190], cells: '017dffe1' });
  expect(of(1, 2, [0, 0])).toEqual({ of: [1, 2], rows: 1, cols: 2, cells: '00' });
  expect(of(1, 2, [5, 5])?.cells).toBe('dd');
  expect(of(1, 4, [-1, -(2 ** 6.5), -(2 ** 13), -0])?.cells).toBe('hnt0');
  expect(of(0, 3, [])).toBeUndefined();
});

it('keeps the sign of the largest entry of a cell', () => {
  const map = heatMapOf({ rows: 64, cols: 1 }, (at) => [undefined, 1, -2, 1, -1, undefined][at]);
  expect(map?.cells.slice(0, 4)).toBe('1the');
});

it('keeps the largest entry of each cell of a large matrix, and NaN before any', () => {
  const side = 64;
  const map = heatMapOf({ rows: side, cols: side }, (at) =>
    at === 1 ? Number.NaN : at === side * side - 1 ? 9 : 1,
  );
  expect(heatMap.parse(map)).toMatchObject({ of: [64, 64], rows: 32, cols: 32, between: [1, 9] });
  expect([map?.cells[0], map?.cells[1], map?.cells.at(-1)]).toEqual(['f', '1', 'd']);
});

it('shows where a product is wrong', () => {
  const [a, b] = [matrix(2, 1, Float32Array.of(1, 2)), matrix(1, 2, Float32Array.of(3, 0))];
  const { evidence } = judgeProduct(matrix(2, 2, Float32Array.of(3, 0, 7, Number.NaN)), a, b);
  const found = maps.ask(evidence);
  expect(found.error).toMatchObject({ of: [2, 2], cells: '00df', between: [1, 1] });
  expect([found.a?.cells, found.b?.cells, found.c?.cells]).toEqual(['1d', 'd0', '10df']);
});

/** Draws the pictures of a product whose first entry is wrong. */
async function mapsOfWrong(storage: string) {
  const value = parseCase(`kernel=classical;input=uniform;m=4;k=3;n=5${storage}`);
  const kernel = corruptKernel(
    modelKernel('classical', singleComputation({ ...emulated, fma: 'once' })),
    ({ c }) => {
      c.data[0] += 64;
    },
  );
  const evaluator = new Evaluator(exactProduct);
  const found = await evaluator.evaluate(await evaluator.prepare(value, kernel));
  return (await resultOf(value, kernel, found, defaultThresholds)).maps;
}

it('shows the entries of operands however they lie in memory, and one that a batch shares once', async () => {
  const plain = await mapsOfWrong('');
  expect(plain?.a?.of).toEqual([4, 3]);
  for (const storage of [';a=n+7;b=n+9', ';a=t+2;b=nf+3', ';a=n@5;b=t@2']) {
    expect(await mapsOfWrong(storage)).toEqual(plain);
  }
  const shared = await mapsOfWrong(';batch=2;a=n+7*same;b=n*same');
  expect(shared).toMatchObject({ a: plain?.a, b: plain?.b, c: { of: [8, 5] }, error: { of: [8, 5] } });
});
