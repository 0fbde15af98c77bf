import { f16, f32 } from '../format.ts';
import { e2m1 } from '../formats/e2m1.ts';
import { e8m0 } from '../formats/e8m0.ts';
import { int4 } from '../formats/int4.ts';
import { int8 } from '../formats/int8.ts';
import { iq4nl } from '../formats/iq4nl.ts';
import { uint4 } from '../formats/uint4.ts';
import { uint8 } from '../formats/uint8.ts';
import type { Coding } from './coding.ts';
import { type OperandCodings, scaleOf } from './operand-codings.ts';

const GGML = 'llama.cpp, ggml-common.h and ggml-quants.c';
const ONNX_RUNTIME = 'ONNX Runtime, com.microsoft.MatMulNBits';
/** The entries of one block along k. */
const BLOCK = 32;

const nbits = [
  ['nbits4', uint4, f32],
  ['nbits8', uint8, f32],
  ['nbits4-f16', uint4, f16],
  ['nbits8-f16', uint8, f16],
] as const;

const weights = (name: string, what: string, source: string, b: Coding): OperandCodings => ({
  name,
  what,
  source,
  coded: { b },
});

/** Codings of weights only, in blocks along k of each column of B. */
export const ofWeights: readonly OperandCodings[] = [
  weights(
    'q4_0',
    'B in int4 with a factor in binary16, which may be negative, for each 32 entries of a column',
    GGML,
    {
      element: int4,
      scales: [{ ...scaleOf(1, BLOCK, f16), signed: true }],
    },
  ),
  weights('q8_0', 'B in int8 with a factor in binary16 for each 32 entries of a column', GGML, {
    element: int8,
    scales: [scaleOf(1, BLOCK, f16)],
  }),
  weights('mxfp4-weights', 'B in e2m1 with a power of two for each 32 entries of a column', GGML, {
    element: e2m1,
    scales: [scaleOf(1, BLOCK, e8m0)],
  }),
  weights(
    'iq4_nl',
    'B in 16 numbers of a table with a factor in binary16, which may be negative, for each 32 entries of a column',
    GGML,
    { element: iq4nl, scales: [{ ...scaleOf(1, BLOCK, f16), signed: true }] },
  ),
  ...nbits.map(([name, element, factor]) =>
    weights(
      name,
      `B in ${element.name} with a zero point and a factor in ${factor.name} for each ${BLOCK} entries of a column`,
      ONNX_RUNTIME,
      { element, scales: [scaleOf(1, BLOCK, factor)], zero: element },
    ),
  ),
];
