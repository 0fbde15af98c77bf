import { type CodedFormat, f32 } from '../format.ts';
import { int8 } from '../formats/int8.ts';
import { uint8 } from '../formats/uint8.ts';
import { ALL, both, type OperandCodings, scaleOf } from './operand-codings.ts';

const ONNX = 'ONNX, QuantizeLinear';

const blocks = [
  ['row', 'each row of A and each column of B', scaleOf(1, ALL, f32)],
  ['tensor', 'all of A and all of B', scaleOf(ALL, ALL, f32)],
] as const;

const inFormat = (element: CodedFormat, suffix: string, zero?: CodedFormat): readonly OperandCodings[] =>
  blocks.map(([name, what, scale]) => ({
    name: `${element.name}-${name}${suffix}`,
    what: `${element.name} with a factor${zero === undefined ? '' : ' and a zero point'} for ${what}`,
    source: ONNX,
    coded: both({ element, scales: [scale], ...(zero === undefined ? {} : { zero }) }),
  }));

/** Codings as whole numbers of 8 bits with factors in binary32. They have zero points if they are unsigned, and in one signed variant. */
export const ofWholeNumbers: readonly OperandCodings[] = [
  ...inFormat(int8, ''),
  ...inFormat(int8, '-zeros', int8),
  ...inFormat(uint8, '', uint8),
];
