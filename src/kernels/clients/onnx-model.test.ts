import { expect, test } from 'vitest';
import { fields, inside, messages, nodesOf, tensorsOf, text } from './onnx-fields.testing.ts';
import { gemmModel, matMulModel } from './onnx-model.ts';

const none = { transposeA: false, transposeB: false, addsC: false };

test.each([
  ['f32', 1],
  ['f16', 10],
  ['f64', 11],
] as const)('a model of %s is one MatMul of matrices of any size', (type, element) => {
  const model = matMulModel(type, none, { rank: 2, scales: false });
  expect(fields(model)[0]).toEqual([1, 8]);
  expect(fields(inside(model, 8))).toEqual([[2, 13]]);
  expect(nodesOf(model)).toEqual(['MatMul A B D']);
  expect(tensorsOf(model)).toEqual([
    ['A', element, 'A0', 'A1'],
    ['B', element, 'B0', 'B1'],
    ['D', element, 'D0', 'D1'],
  ]);
});

test('a model of batches transposes before the product, and scales and adds behind it', () => {
  const all = { transposeA: true, transposeB: true, addsC: true };
  const model = matMulModel('f32', all, { rank: 3, scales: true });
  expect(nodesOf(model)).toEqual([
    'Transpose A TransposeA',
    'Transpose B TransposeB',
    'MatMul TransposeA TransposeB MatMulTransposeA',
    'Mul MatMulTransposeA alpha MulMatMulTransposeA',
    'Mul C beta MulC',
    'Add MulMatMulTransposeA MulC D',
  ]);
  const perm = inside(model, 7, 1, 5);
  expect(fields(perm).filter(([number]) => number === 8)).toEqual([
    [8, 0],
    [8, 2],
    [8, 1],
  ]);
  expect(tensorsOf(model).map(([name, , ...sizes]) => [name, sizes.length])).toEqual([
    ...[
      ['A', 3],
      ['B', 3],
      ['alpha', 0],
      ['C', 3],
      ['beta', 0],
      ['D', 3],
    ],
  ]);
});

test('a model of one product has one Gemm, with its attributes', () => {
  const has = { transposeA: true, transposeB: false, addsC: true };
  const model = gemmModel('f64', has, { alpha: 1.5, beta: -2 });
  expect(nodesOf(model)).toEqual(['Gemm A B C D']);
  const attributes = messages(inside(model, 7, 1), 5).map((attribute) => {
    const [, value, type] = fields(attribute);
    return [text(inside(attribute, 1)), value[1], type[1]];
  });
  expect(attributes).toEqual([
    ...[
      ['alpha', 1.5, 1],
      ['beta', -2, 1],
      ['transA', 1, 2],
      ['transB', 0, 2],
    ],
  ]);
  expect(nodesOf(gemmModel('f32', none, { alpha: 2, beta: 0 }))).toEqual(['Gemm A B D']);
});
