import { f16 } from '../../../precision/format.ts';
import { drawProbeCases, encodeBits, encodeFloats, numberOf16 } from '../draws.ts';
import { grid16, grid32, judgeRounding } from '../grid.ts';
import { allowed, broken, ieee, judgeBits, judgeValues, type PossibleBehavior } from '../judge-outcomes.ts';
import type { OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

const NEAREST = 'one of the two neighbours';
const INT = { least: -(2 ** 31), most: 2 ** 31 - 1 };
const UINT = { least: 0, most: 2 ** 32 - 1 };

interface Range {
  readonly least: number;
  readonly most: number;
}

const clamp = (x: number, { least, most }: Range): number => Math.min(Math.max(Math.trunc(x), least), most);

/** Returns the range up to the largest binary32 number in it. */
const representable = ({ least, most }: Range): Range => ({
  least,
  most: most + 1 - 2 ** (most === INT.most ? 7 : 8),
});

// WGSL, “Floating Point Conversion”, clamps to the range of both types; IEEE 754 leaves the result open.
const outside = (id: string, type: string, range: Range, values: readonly number[]): ProbeQuestion => ({
  id,
  question: `f32 → ${type} out of range`,
  promise: `the nearest ${type} that is an f32`,
  wgsl: `return bitcast<u32>(${type}(x));`,
  cases: values.map((value) => encodeFloats(value)),
  judge: judgeBits(
    [
      ieee(`the nearest ${type} that is an f32`, ({ x }) => clamp(x, representable(range))),
      broken(`the nearest ${type}`, ({ x }) => clamp(x, range)),
    ],
    'broken',
  ),
});

const bigIntegers = [
  [2 ** 24 + 1],
  [2 ** 24 + 3],
  [2 ** 25 + 2],
  [2 ** 25 + 6],
  [2 ** 31 - 1],
  [2 ** 31 - 64],
  ...drawProbeCases(60, ({ number }) => [number(-20, 20)]).map(([bits]) => [bits & 0x7fffffff]),
];

/** Questions on conversions between binary32 and integers. */
export const conversionQuestions: QuestionGroup = {
  name: 'conversions of f32 and integers',
  questions: [
    {
      id: 'convert.i32.truncate',
      question: 'f32 → i32 of fractions',
      promise: 'rounded toward zero',
      wgsl: 'return bitcast<u32>(i32(x));',
      cases: [1.5, -1.5, 0.99, -0.99, 2.5, 16777215.5, 2147483520, INT.least, -0].map((x) => encodeFloats(x)),
      judge: judgeBits([ieee('rounded toward zero', ({ x }) => Math.trunc(x))], 'broken'),
    },
    outside('convert.i32.outside', 'i32', INT, [2 ** 31, -3e9, 3e9, 1e30, -1e30]),
    outside('convert.u32.outside', 'u32', UINT, [2 ** 32, 5e9, 1e30, -1.5, -1e30]),
    {
      id: 'convert.i32.nan',
      question: 'f32 → i32 of NaN',
      promise: 'any number',
      wgsl: 'return bitcast<u32>(i32(x));',
      cases: [[0x7fc00000], [0xffc00000]],
      judge: judgeBits(
        [
          allowed('0', () => 0),
          allowed('the least i32', () => INT.least),
          allowed('the greatest i32', () => INT.most),
        ],
        'allowed',
      ),
    },
    {
      id: 'convert.f32.i32',
      question: 'i32 → f32 of more than 24 bits',
      promise: NEAREST,
      wgsl: 'return bits(f32(bitcast<i32>(v.x)));',
      cases: bigIntegers.flatMap(([n]) => [[n], [-n >>> 0]]),
      judge: judgeRounding({ grid: grid32, within: 1, exact: ({ words: [n] }) => n | 0 }),
    },
    {
      id: 'convert.f32.u32',
      question: 'u32 → f32 of more than 24 bits',
      promise: NEAREST,
      wgsl: 'return bits(f32(v.x));',
      cases: bigIntegers.flatMap(([n]) => [[n], [(n | (2 ** 31)) >>> 0]]),
      judge: judgeRounding({ grid: grid32, within: 1, exact: ({ words: [n] }) => n }),
    },
    {
      id: 'f32.round',
      question: 'round(x) at ties',
      promise: 'to the even neighbor',
      wgsl: 'return bits(round(x));',
      cases: [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 8388607.5].map((x) => encodeFloats(x)),
      judge: judgeValues(
        [
          ieee('to the even neighbour', ({ x }) => 2 * Math.round(x / 2)),
          broken('away from zero', ({ x }) => Math.sign(x) * Math.round(Math.abs(x))),
        ],
        'broken',
      ),
    },
  ],
};

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
