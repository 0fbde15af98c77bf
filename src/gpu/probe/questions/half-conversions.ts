import { f16 } from '../../../precision/format.ts';
import { drawProbeCases, encodeBits, encodeFloats, numberOf16 } from '../draws.ts';
import { grid16, judgeRounding } from '../grid.ts';
import { allowed, ieee, judgeBits, judgeValues, type PossibleBehavior } from '../judge-outcomes.ts';

import type { OperandWords, QuestionGroup } from '../question.ts';

const ULP = 2 ** -10;
const CORRECTLY = 'correctly rounded, in any direction';

const low = (bits: number): number => numberOf16(bits & 0xffff);

/** Ties of binary16, cases next to them, and random numbers. */
export const narrowed: readonly OperandWords[] = [
  ...[
    1 + ULP / 2,
    1 + 1.5 * ULP,
    1 + (ULP / 2) * (1 + ULP),
    1 + (ULP / 2) * (1 - ULP),
    2 - ULP / 2,
    2049,
    2051,
  ].flatMap((x) => [encodeFloats(x), encodeFloats(-x)]),
  ...drawProbeCases(150, ({ number }) => [number(-13, 14)]),
];

const smaller: readonly OperandWords[] = [2 ** -15, 3 * 2 ** -24, -(2 ** -24), 1023 * 2 ** -24].map((x) =>
  encodeFloats(x),
);
const larger: readonly OperandWords[] = [65519, 65520, 70000, 1e10].map((x) => encodeFloats(x));
const subnormal16: readonly OperandWords[] = [[1], [0x03ff], [0x8001]];
const normal16: readonly OperandWords[] = [0x3c00, 0x0400, 0x7bff, 0xfbff, 0x8000, 0x3555].map((bits) => [
  bits,
]);

const kept = (gives: PossibleBehavior['gives']): PossibleBehavior[] => [
  ieee('kept', gives),
  allowed('flushed to zero', () => 0),
];

const overflowing: readonly PossibleBehavior[] = [
  ieee('infinity', ({ x }) => f16.round(x)),
  allowed('infinity, where IEEE 754 still has 65504 too', () => Number.POSITIVE_INFINITY),
  allowed('the largest finite f16', () => f16.maxFinite),
];

/** Questions on conversions between binary32 and binary16, which every device offers. */
export const halfConversionQuestions: QuestionGroup = {
  name: 'conversions of f32 and f16',
  questions: [
    {
      id: 'f16.quantize',
      question: 'rounding of quantizeToF16',
      promise: CORRECTLY,
      wgsl: 'return bits(quantizeToF16(x));',
      cases: narrowed,
      judge: judgeRounding({ grid: grid16, within: 1, exact: ({ x }) => x }),
    },
    {
      id: 'f16.quantize.subnormal',
      question: 'quantizeToF16 of numbers below 2^-14',
      promise: 'nothing: they may be flushed to zero',
      wgsl: 'return bits(quantizeToF16(x));',
      cases: smaller,
      judge: judgeValues(kept(({ x }) => x)),
    },
    {
      id: 'f16.quantize.overflow',
      question: 'quantizeToF16 of numbers above 65504',
      promise: 'any number',
      wgsl: 'return bits(quantizeToF16(x));',
      cases: larger,
      judge: judgeValues(overflowing),
    },
    {
      id: 'f16.pack',
      question: 'rounding of pack2x16float',
      promise: CORRECTLY,
      wgsl: 'return pack2x16float(vec2f(x, 0.0));',
      cases: narrowed,
      judge: judgeRounding({ grid: grid16, within: 1, exact: ({ x }) => x, read: low }),
    },
    {
      id: 'f16.pack.subnormal',
      question: 'pack2x16float of numbers below 2^-14',
      promise: 'nothing: they may be flushed to zero',
      wgsl: 'return bits(unpack2x16float(pack2x16float(vec2f(x, 0.0))).x);',
      cases: smaller,
      judge: judgeValues(kept(({ x }) => x)),
    },
    {
      id: 'f16.pack.overflow',
      question: 'pack2x16float of numbers above 65504',
      promise: 'any number',
      wgsl: 'return pack2x16float(vec2f(x, 0.0));',
      cases: larger,
      judge: judgeValues(overflowing, 'allowed', ({ bits }) => low(bits)),
    },
    {
      id: 'f16.unpack',
      question: 'unpack2x16float of normal numbers',
      promise: 'exact',
      wgsl: 'return bits(unpack2x16float(v.x).x);',
      cases: normal16,
      judge: judgeBits([ieee('exact', ({ words }) => encodeBits(low(words[0])))], 'broken'),
    },
    {
      id: 'f16.unpack.subnormal',
      question: 'unpack2x16float of subnormal numbers',
      promise: 'nothing: they may be flushed to zero',
      wgsl: 'return bits(unpack2x16float(v.x).x);',
      cases: subnormal16,
      judge: judgeValues(kept(({ words }) => low(words[0]))),
    },
  ],
};
