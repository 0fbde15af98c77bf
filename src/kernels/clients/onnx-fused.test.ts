import { expect, test } from 'vitest';
import type { EpilogueCall } from '../../matrix/epilogue-call.ts';
import { type Gemm, plainGemm } from '../../matrix/gemm.ts';
import { attributesOf, fields, inside, messages, nodesOf, text } from './onnx-fields.testing.ts';
import { fusedModel } from './onnx-fused.ts';

const SIZES = { m: 2, k: 3, n: 4 };
const matrix = (sizes: readonly number[], transposed = false) => ({
  ...{ entries: new Float32Array(1), sizes, transposed },
});
const values = (rows: number, cols: number) => ({
  rows,
  cols,
  data: new Float32Array(rows * cols),
});
const row: EpilogueCall = { step: 'bias', values: values(1, 4) };
const column: EpilogueCall = { step: 'bias', values: values(2, 1) };
const residual: EpilogueCall = { step: 'residual', values: values(2, 4) };
const step = (name: string): EpilogueCall => ({ step: name });

const modelOf = (epilogue: readonly EpilogueCall[], more: Partial<Gemm> = {}) => {
  const gemm = { ...plainGemm(SIZES), ...more, epilogue };
  const count = gemm.batch === 1 ? [] : [gemm.batch];
  return fusedModel(matrix([...count, 3, 2], true), matrix([...count, 3, 4]), gemm);
};

test.each<[string, readonly EpilogueCall[], readonly string[], readonly string[]]>([
  ['nothing', [], ['FusedMatMul A B D'], ['FusedMatMul A B D']],
  ['a bias', [row], ['Gemm A B V0 D'], ['FusedMatMul A B D0', 'Add D0 V0 D']],
  ['an activation', [step('relu')], ['FusedGemm A B D'], ['FusedMatMul A B D0', 'Relu D0 D']],
  [
    'an addend and an activation',
    [residual, step('sigmoid')],
    ['FusedGemm A B V0 D'],
    ['FusedMatMul A B D0', 'Add D0 V0 D1', 'Sigmoid D1 D'],
  ],
  [
    'a bias, GELU and an addend',
    [row, step('gelu'), residual],
    ['FusedMatMul A B D0', 'BiasGelu D0 V0 D1', 'Add D1 V2 D'],
    ['FusedMatMul A B D0', 'BiasGelu D0 V0 D1', 'Add D1 V2 D'],
  ],
  [
    'a bias and SiLU',
    [row, step('silu')],
    ['Gemm A B V0 D0', 'QuickGelu D0 D'],
    ['FusedMatMul A B D0', 'Add D0 V0 D1', 'QuickGelu D1 D'],
  ],
  ['GELU alone', [step('gelu')], ['FusedMatMul A B D0', 'Gelu D0 D'], ['FusedMatMul A B D0', 'Gelu D0 D']],
])('a product with %s behind it', (_, epilogue, single, batch) => {
  expect(nodesOf(modelOf(epilogue).make())).toEqual(single);
  expect(nodesOf(modelOf(epilogue, { batch: 5 }).make())).toEqual(batch);
});

test("operators outside ONNX have their domain, and the model has both sets' versions", () => {
  const model = modelOf([row, step('silu')]).make();
  expect(messages(inside(model, 7), 1).map((node) => messages(node, 7).map(text))).toEqual([
    [],
    ['com.microsoft'],
  ]);
  const sets = messages(model, 8).map((set) => [...messages(set, 1).map(text), fields(set).at(-1)?.[1]]);
  expect(sets).toEqual([[13], ['com.microsoft', 1]]);
});

test('alpha, transposes, activations and slopes are attributes', () => {
  const leaky = [column, { step: 'leaky-relu', slope: 0.25 }];
  const product = { alpha: 1.5, transA: 1, transB: 0 };
  expect(attributesOf(modelOf(leaky, { alpha: 1.5 }).make(), 0)).toEqual({
    ...product,
    activation: 'LeakyRelu',
    activation_alpha: 0.25,
  });
  const batched = modelOf(leaky, { alpha: 1.5, batch: 2 }).make();
  expect(attributesOf(batched, 0)).toEqual(product);
  expect(attributesOf(batched, 2)).toEqual({ alpha: 0.25 });
  expect(attributesOf(modelOf([step('silu')]).make(), 1)).toEqual({ alpha: 1 });
});

test('addends are a number, a row, a column, or all entries of a batch', () => {
  const sizesOf = (epilogue: readonly EpilogueCall[], batch = 1) =>
    Object.values(modelOf(epilogue, { batch }).tensors).map(({ sizes }) => sizes);
  const scalar = { step: 'bias', values: 7 };
  expect(sizesOf([row, column, scalar, residual])).toEqual([[4], [2, 1], [1], [2, 4]]);
  expect(sizesOf([column, { step: 'residual', values: values(6, 4) }], 3)).toEqual([
    [2, 1],
    [3, 2, 4],
  ]);
});

test('products of other slopes or ranks are other models', () => {
  const leaky = (slope: number) => [row, { step: 'leaky-relu', slope }];
  const keys = [modelOf(leaky(0.5)), modelOf(leaky(0.25)), modelOf(leaky(0.5), { batch: 2 })].map(
    ({ key }) => key,
  );
  expect(new Set(keys).size).toBe(3);
  expect(modelOf(leaky(0.5)).key).toBe(keys[0]);
});
