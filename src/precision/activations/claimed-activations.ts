import type { BlockScale, Operand } from '../coding/coding.ts';
import type { OperandEncoding } from '../operand-encoding.ts';
import { type ActivationScheme, activationSchemes, type CodeTies, type Division } from './schemes.ts';

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
