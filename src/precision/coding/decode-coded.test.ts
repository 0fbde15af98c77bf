import { expect, test } from 'vitest';
import { catchParanoiaError } from '../../base/errors.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { CodedMatrix } from '../../matrix/operands.ts';
import { codings } from './codings.ts';
import { decodeCoded } from './decode-coded.ts';
import { quantize } from './quantize.ts';

const x: Matrix = { rows: 3, cols: 40, data: Float32Array.from({ length: 120 }, (_, at) => at / 7 - 5) };

/** Faults in codes of B, with the expected explanation. */
const faults: readonly (readonly [
  coding: string,
  why: string,
  change: (coded: CodedMatrix) => CodedMatrix,
])[] = [
  [
    'nvfp4',
    'the number of its tensors of scales is 1, but its coding has 2',
    (c) => ({ ...c, scales: [c.scales[0]] }),
  ],
  [
    'mxfp4',
    'its scales are 1×40 with 40 entries, but blocks of its size need 40×1',
    (c) => with0(c, transposed),
  ],
  [
    'mxfp4',
    'its scale (2, 0) is NaN, which makes its whole block NaN (the pattern 0xFF of e8m0)',
    with1(Number.NaN),
  ],
  ['e4m3-row', 'its scale (2, 0) is NaN, which makes its whole block NaN', with1(Number.NaN)],
  ['e4m3-row', 'its scale (2, 0) is 0, which makes its whole block zero', with1(0)],
  ['e4m3-row', 'its scale (2, 0) is -1, and a scale must be above zero', with1(-1)],
  ['e4m3-row', 'its scale (2, 0) is Infinity, and a scale must be finite', with1(Number.POSITIVE_INFINITY)],
  ['mxfp4', 'its scale (2, 0) is 3, which e8m0 does not hold', with1(3)],
  [
    'mxfp4',
    'its scale (2, 0) is 1.7014118346046923e+38, which brings the largest e2m1 beyond binary32',
    with1(2 ** 127),
  ],
  ['q4_0', 'its scale (2, 0) is 0, which makes its whole block zero', with1(0)],
  [
    'iq4_nl',
    'its element (0, 2) is 0, which iq4nl does not hold',
    (c) => ({ ...c, elements: changed(c.elements, 0) }),
  ],
  ['q4_0', 'its scale (2, 0) is 0.3330000042915344, which f16 does not hold', with1(0.333)],
  ['nbits4', 'it has no zero points, but its coding needs them', ({ zeros: _, ...c }) => c],
  ['mxfp4', 'it has zero points, but its coding has none', (c) => ({ ...c, zeros: c.scales[0] })],
  [
    'nbits4',
    'its zero point (2, 0) is 16, which uint4 does not hold',
    (c) => ({ ...c, zeros: changed(c.zeros!, 16) }),
  ],
  [
    'nbits4',
    'its zero points are 1×40 with 40 entries, but blocks of its size need 40×1',
    (c) => ({ ...c, zeros: transposed(c.zeros!) }),
  ],
  [
    'mxfp4',
    'its element (0, 2) is 5, which e2m1 does not hold',
    (c) => ({ ...c, elements: changed(c.elements, 5) }),
  ],
];

function changed({ rows, cols, data }: Matrix, to: number): Matrix {
  const copy = data.slice();
  copy[2] = to;
  return { rows, cols, data: copy };
}

function transposed({ rows, cols, data }: Matrix): Matrix {
  return { rows: cols, cols: rows, data };
}

function with0(coded: CodedMatrix, change: (scales: Matrix) => Matrix): CodedMatrix {
  return { ...coded, scales: [change(coded.scales[0]), ...coded.scales.slice(1)] };
}

function with1(to: number): (coded: CodedMatrix) => CodedMatrix {
  return (coded) => with0(coded, (scales) => changed(scales, to));
}

test.each(faults)('%s: %s', (name, why, change) => {
  const coding = codings.find(name).coded.b!;
  const { coded } = quantize(x, 'b', coding);
  expect(catchParanoiaError(() => decodeCoded(change(coded), 'b', coding))).toMatchObject({
    code: 'bad-coded',
    exitCode: 2,
    message: `The codes of B cannot be used: ${why}.`,
  });
});

test('a factor 0 is taken where no element is 0: its block is zero', () => {
  const coding = codings.find('iq4_nl').coded.b!;
  const { coded } = quantize(x, 'b', coding);
  const { data, cols } = decodeCoded(with1(0)(coded), 'b', coding);
  expect(Array.from(data, (value, at) => (value === 0) === (at % cols === 2)).every(Boolean)).toBe(true);
});

test('a factor below zero is taken where the coding has some', () => {
  const coding = codings.find('q4_0').coded.b!;
  const { coded, decoded } = quantize(x, 'b', coding);
  expect(decodeCoded(with1(-coded.scales[0].data[2])(coded), 'b', coding).data[2]).toBe(-decoded.data[2]);
});
