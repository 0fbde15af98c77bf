import type { CodedFormat } from '../format.ts';
import { f32 } from '../format.ts';
import { e4m3 } from '../formats/e4m3.ts';
import { e5m2 } from '../formats/e5m2.ts';
import type { BlockScale } from './coding.ts';
import { ALL, type OperandCodings, scaleOf } from './operand-codings.ts';

const CUBLAS = 'NVIDIA, cuBLASLt, narrow-precision data types';
const DEEPSEEK = 'DeepSeek-AI, DeepSeek-V3 technical report, 2024, §3.3';

/** The factors, in binary32, that libraries use for elements of 8 bits. */
const scalings: readonly (readonly [
  name: string,
  what: string,
  source: string,
  a: BlockScale,
  b?: BlockScale,
])[] = [
  ['tensor', 'one factor for all of A and one for all of B', CUBLAS, scaleOf(ALL, ALL, f32)],
  ['row', 'a factor for each row of A and each column of B', CUBLAS, scaleOf(1, ALL, f32)],
  [
    'column',
    'a factor for each column of A and each row of B, so one for each index of k',
    'gemm-paranoia',
    scaleOf(ALL, 1, f32),
  ],
  [
    ...([
      'block',
      'a factor for each 128 entries of a row of A, and for each 128×128 block of B',
      DEEPSEEK,
    ] as const),
    scaleOf(1, 128, f32),
    scaleOf(128, 128, f32),
  ],
];

const inFormat = (element: CodedFormat): readonly OperandCodings[] =>
  scalings.map(([name, what, source, a, b = a]) => ({
    name: `${element.name}-${name}`,
    what: `${element.name} with ${what}, in binary32`,
    source,
    coded: { a: { element, scales: [a] }, b: { element, scales: [b] } },
  }));

export const ofFloat8: readonly OperandCodings[] = [e4m3, e5m2].flatMap(inFormat);
