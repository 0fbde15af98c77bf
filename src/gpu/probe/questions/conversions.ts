import { drawProbeCases, encodeFloats } from '../draws.ts';
import { grid32, judgeRounding } from '../grid.ts';
import { allowed, broken, ieee, judgeBits, judgeValues } from '../judge-outcomes.ts';

import type { ProbeQuestion, QuestionGroup } from '../question.ts';

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
