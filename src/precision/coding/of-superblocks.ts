import { type CodedFormat, f16 } from '../format.ts';
import { int3 } from '../formats/int3.ts';
import { int6 } from '../formats/int6.ts';
import { int8 } from '../formats/int8.ts';
import { uint2 } from '../formats/uint2.ts';
import { uint4 } from '../formats/uint4.ts';
import { uint5 } from '../formats/uint5.ts';
import { uint6 } from '../formats/uint6.ts';
import type { Coding } from './coding.ts';
import { type OperandCodings, scaleOf } from './operand-codings.ts';

const GGML = 'llama.cpp, ggml-common.h and ggml-quants.c';
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

const weights = (name: string, b: Coding): OperandCodings => {
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
export const ofSuperblocks: readonly OperandCodings[] = [
  weights('q2_K', withMinima(uint2, 16, uint4)),
  weights('q3_K', ofProducts(int3, 16, int6)),
  weights('q4_K', withMinima(uint4, 32, uint6)),
  weights('q5_K', withMinima(uint5, 32, uint6)),
  weights('q6_K', ofProducts(int6, 16, int8)),
];
