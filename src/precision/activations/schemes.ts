import { type Item, type Registry, registryOf } from '../../base/registry.ts';
import { ALL, type BlockScale, type Operand, scaleOf } from '../coding/coding.ts';
import { f16, f32 } from '../format.ts';
import type { OperandEncoding } from '../operand-encoding.ts';

/** The largest code of signed schemes. */
export const LARGEST = 127;

/** The roundings of a quotient to a whole number. With `nearest`, ties go to even. */
export const codeTies = ['nearest', 'nearest-away'] as const;
export type CodeTies = (typeof codeTies)[number];

/** The ways of dividing a number x by the factor d of its block, as sequences of operations in binary32. */
export const divisions = ['reciprocal', 'quotient', 'fused', 'division'] as const;
/** `reciprocal`: x · (1/d). `quotient`: x · (127/largest). `fused`: the same, rounded only to a whole number. `division`: x / d. */
export type Division = (typeof divisions)[number];

/** A scheme by which kernels quantize an operand while they read it. */
export interface ActivationScheme extends Item {
  readonly source: string;
  /** The factors, in the format in which they are kept. */
  readonly block: BlockScale;
  /** True if a claim gives the entries of a block. @defaultValue false */
  readonly sized?: boolean | undefined;
  /**
   * The mapping to codes. `symmetric`: the largest magnitude becomes 127 or −127. `signed`: the largest magnitude becomes −127, by a factor
   * that may be negative. `zero-point`: the range of numbers and 0 becomes 0 to 255.
   */
  readonly range: 'symmetric' | 'signed' | 'zero-point';
  /** The documented roundings; what a claim leaves open is any of them. */
  readonly roundings: readonly CodeTies[];
  readonly divisions: readonly Division[];
  /** True if the sum of each block is kept in binary16, for weights with offsets. @defaultValue false */
  readonly hasSums?: boolean | undefined;
}

const GGML = 'llama.cpp, ggml-quants.c and ggml-cpu';
const NEAREST = ['nearest'] as const;
const ANY = ['reciprocal', 'quotient', 'division'] as const;
/** The entries of one block along k. */
const [BLOCK, SUPERBLOCK] = [32, 256];

/** The known schemes. */
export const activationSchemes: Registry<ActivationScheme> = registryOf('activation scheme', [
  {
    name: 'q8_0',
    what: 'int8 with a factor in binary16 for each 32 entries along k',
    source: GGML,
    block: scaleOf(1, BLOCK, f16),
    range: 'symmetric',
    roundings: codeTies,
    divisions: ANY,
  },
  {
    name: 'q8_1',
    what: 'the same, with the sum of each block in binary16',
    source: GGML,
    block: scaleOf(1, BLOCK, f16),
    range: 'symmetric',
    roundings: codeTies,
    divisions: ANY,
    hasSums: true,
  },
  {
    name: 'q8_K',
    what: 'int8 with a factor in binary32, which may be negative, for each 256 entries along k',
    source: GGML,
    block: scaleOf(1, SUPERBLOCK, f32),
    range: 'signed',
    roundings: NEAREST,
    divisions: ['quotient', 'fused'],
  },
  {
    name: 'int8-block',
    what: 'int8 with a factor in binary32 for each block along k, of 32 entries unless claimed',
    source: 'ONNX Runtime, MatMulNBits with accuracy_level 4',
    block: scaleOf(1, BLOCK, f32),
    sized: true,
    range: 'symmetric',
    roundings: codeTies,
    divisions: ANY,
  },
  {
    name: 'int8-token',
    what: 'int8 with a factor in binary32 for each row of A or column of B',
    source: 'vLLM, dynamic scaled int8 quantization',
    block: scaleOf(1, ALL, f32),
    range: 'symmetric',
    roundings: codeTies,
    divisions: ANY,
  },
  {
    name: 'uint8-token',
    what: 'uint8 with a zero point and a factor in binary32 for each row of A or column of B',
    source: 'ONNX, DynamicQuantizeLinear',
    block: scaleOf(1, ALL, f32),
    range: 'zero-point',
    roundings: NEAREST,
    divisions: ['reciprocal', 'division'],
  },
]);

/** The claims about an operand that the kernel quantizes while it reads it. */
export interface ActivationClaims {
  readonly scheme: string;
  readonly block?: number | undefined;
  readonly rounding?: CodeTies | undefined;
  readonly division?: Division | undefined;
}

/** One documented sequence of operations. */
export interface CodeSteps {
  readonly rounding: CodeTies;
  readonly division: Division;
}

/** An operand that is quantized while it is read, and all sequences of operations that may do it. */
export interface QuantizedOperand {
  readonly of: Operand;
  readonly scheme: ActivationScheme;
  readonly block: BlockScale;
  readonly steps: readonly CodeSteps[];
}

/** Returns the operand that is quantized while it is read: the one without a coding, A before B. */
export const quantizedSide = ({ coded }: Pick<OperandEncoding, 'coded'>): Operand =>
  coded?.a === undefined ? 'a' : 'b';

/** Returns the quantization that is claimed; undefined where none is. @throws ParanoiaError `unknown-name` */
export function quantizedOperandOf(
  precision: Pick<OperandEncoding, 'coded'>,
  claimed: ActivationClaims | undefined,
): QuantizedOperand | undefined {
  if (claimed === undefined) return undefined;
  const scheme = activationSchemes.find(claimed.scheme);
  const { rounding, division, block: entries = scheme.block.entries } = claimed;
  const roundings = rounding === undefined ? scheme.roundings : [rounding];
  const ways = division === undefined ? scheme.divisions : [division];
  return {
    of: quantizedSide(precision),
    scheme,
    block: { ...scheme.block, entries },
    steps: roundings.flatMap((one) => ways.map((way) => ({ rounding: one, division: way }))),
  };
}
