import { type Registry, registryOf } from '../../base/registry.ts';
import { type CodedFormat, f16, f32 } from '../format.ts';
import { e2m1, e2m3, e3m2, e4m3, e5m2, e8m0, ue4m3 } from '../formats/floats.ts';
import {
  int3,
  int4,
  int6,
  int8,
  iq4nl,
  mxint8,
  uint2,
  uint4,
  uint5,
  uint6,
  uint8,
} from '../formats/whole-formats.ts';
import { ALL, type BlockScale, both, type Coding, type OperandCodings, scaleOf } from './coding.ts';

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
const ofWeights: readonly OperandCodings[] = [
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

/** The entries of a superblock along k. */
const SUPERBLOCK = 256;

/** Elements times whole factors of blocks and a factor of the superblock; either may be negative. */
const ofProducts = (element: CodedFormat, entries: number, scale: CodedFormat): Coding => ({
  element,
  scales: [
    { ...scaleOf(1, entries, scale), signed: true },
    { ...scaleOf(1, SUPERBLOCK, f16), signed: true },
  ],
});

/** The same without signs, less a minimum that is a product of the same kind. */
const withMinima = (element: CodedFormat, entries: number, scale: CodedFormat): Coding => ({
  element,
  scales: [
    scaleOf(1, entries, scale),
    { ...scaleOf(1, entries, scale), subtracted: true },
    scaleOf(1, SUPERBLOCK, f16),
    { ...scaleOf(1, SUPERBLOCK, f16), subtracted: true },
  ],
});

const superblock = (name: string, b: Coding): OperandCodings => {
  const [{ entries, format }, { subtracted }] = b.scales;
  const minima = subtracted === true ? ' and a minimum' : '';
  return {
    name,
    what: `B in ${b.element.name} with a factor${minima} in ${format.name} for each ${entries} entries of a column, times binary16 for each ${SUPERBLOCK}`,
    source: GGML,
    coded: { b },
  };
};

/** Codings of weights in superblocks: the K-quants of ggml. */
const ofSuperblocks: readonly OperandCodings[] = [
  superblock('q2_K', withMinima(uint2, 16, uint4)),
  superblock('q3_K', ofProducts(int3, 16, int6)),
  superblock('q4_K', withMinima(uint4, 32, uint6)),
  superblock('q5_K', withMinima(uint5, 32, uint6)),
  superblock('q6_K', ofProducts(int6, 16, int8)),
];

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

const inFloat8 = (element: CodedFormat): readonly OperandCodings[] =>
  scalings.map(([name, what, source, a, b = a]) => ({
    name: `${element.name}-${name}`,
    what: `${element.name} with ${what}, in binary32`,
    source,
    coded: { a: { element, scales: [a] }, b: { element, scales: [b] } },
  }));

const ofFloat8: readonly OperandCodings[] = [e4m3, e5m2].flatMap(inFloat8);

const MX = 'OCP Microscaling Formats (MX) 1.0';

const elements = [
  ['mxfp8-e4m3', e4m3],
  ['mxfp8-e5m2', e5m2],
  ['mxfp6-e3m2', e3m2],
  ['mxfp6-e2m3', e2m3],
  ['mxfp4', e2m1],
  ['mxint8', mxint8],
] as const;

/** Codings of small blocks along k with factors of 8 bits. */
const ofMicroscaling: readonly OperandCodings[] = [
  ...elements.map(([name, element]) => ({
    name,
    what: `${element.name} with a power of two for each 32 entries along k`,
    source: MX,
    coded: both({ element, scales: [scaleOf(1, 32, e8m0)] }),
  })),
  {
    name: 'nvfp4',
    what: 'e2m1 with a factor in ue4m3 for each 16 entries along k and one in binary32 for all',
    source: 'NVIDIA, Pretraining large language models with NVFP4, 2025',
    coded: both({ element: e2m1, scales: [scaleOf(1, 16, ue4m3), scaleOf(ALL, ALL, f32)] }),
  },
];

const ONNX = 'ONNX, QuantizeLinear';

const lineBlocks = [
  ['row', 'each row of A and each column of B', scaleOf(1, ALL, f32)],
  ['tensor', 'all of A and all of B', scaleOf(ALL, ALL, f32)],
] as const;

const inWhole = (element: CodedFormat, suffix: string, zero?: CodedFormat): readonly OperandCodings[] =>
  lineBlocks.map(([name, what, scale]) => ({
    name: `${element.name}-${name}${suffix}`,
    what: `${element.name} with a factor${zero === undefined ? '' : ' and a zero point'} for ${what}`,
    source: ONNX,
    coded: both({ element, scales: [scale], ...(zero === undefined ? {} : { zero }) }),
  }));

/** Codings as whole numbers of 8 bits with factors in binary32. They have zero points if they are unsigned, and in one signed variant. */
const ofWholeNumbers: readonly OperandCodings[] = [
  ...inWhole(int8, ''),
  ...inWhole(int8, '-zeros', int8),
  ...inWhole(uint8, '', uint8),
];

/** The codings of operands as elements of few bits and factors of blocks. */
export const codings: Registry<OperandCodings> = registryOf('coding', [
  ...ofFloat8,
  ...ofMicroscaling,
  ...ofWholeNumbers,
  ...ofWeights,
  ...ofSuperblocks,
]);
