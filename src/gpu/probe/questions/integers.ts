import { drawBitCases } from '../draws.ts';
import { ieee, judgeBits } from '../judge-outcomes.ts';
import type { OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

const LEAST = 0x80000000;
const MOST = 0xffffffff;
const BYTES = [0, 8, 16, 24];

const extremes: readonly OperandWords[] = [
  [MOST, MOST],
  [LEAST, MOST],
  [0, MOST],
  [LEAST, LEAST],
  [0x80808080, 0x80808080],
  [0x80808080, 0x7f7f7f7f],
  [MOST, 1],
  [1, 0],
];
const cases = [...extremes, ...drawBitCases(60)];

/** Builds a question whose answers WGSL determines exactly, by the operands' bits. */
function exact(
  id: string,
  question: string,
  wgsl: string,
  gives: (x: number, y: number) => number,
  promise = 'exact',
): ProbeQuestion {
  return {
    id: `integer.${id}`,
    question,
    promise,
    wgsl: `return ${wgsl};`,
    cases,
    judge: judgeBits([ieee(promise, ({ words: [x, y] }) => gives(x, y))], 'broken'),
  };
}

const sum = (terms: readonly number[]): number => terms.reduce((s, t) => s + t, 0);
const signedByte = (x: number, shift: number): number => (x << (24 - shift)) >> 24;
const byte = (x: number, shift: number): number => (x >>> shift) & 255;

/** Questions on integers, the base of emulated arithmetic. */
export const integerQuestions: QuestionGroup = {
  name: 'integers',
  questions: [
    exact('dot-i8', 'dot4I8Packed', 'bitcast<u32>(dot4I8Packed(v.x, v.y))', (x, y) =>
      sum(BYTES.map((b) => signedByte(x, b) * signedByte(y, b))),
    ),
    exact('dot-u8', 'dot4U8Packed', 'dot4U8Packed(v.x, v.y)', (x, y) =>
      sum(BYTES.map((b) => byte(x, b) * byte(y, b))),
    ),
    exact('add', 'u32 + u32', 'v.x + v.y', (x, y) => x + y, 'modulo 2^32'),
    exact('sub', 'u32 − u32', 'v.x - v.y', (x, y) => x - y, 'modulo 2^32'),
    exact('mul', 'u32 × u32', 'v.x * v.y', Math.imul, 'modulo 2^32'),
    exact(
      'add-i32',
      'i32 + i32',
      'bitcast<u32>(bitcast<i32>(v.x) + bitcast<i32>(v.y))',
      (x, y) => x + y,
      'modulo 2^32',
    ),
    exact(
      'mul-16',
      '16 × 16 bits',
      '(v.x & 0xffffu) * (v.y & 0xffffu)',
      (x, y) => (x & 0xffff) * (y & 0xffff),
    ),
    exact('carry', 'the carry of x + y, as x + y < x', 'select(0u, 1u, v.x + v.y < v.x)', (x, y) =>
      Number(x + y > MOST),
    ),
    exact('shift-left', 'x << y', 'v.x << (v.y & 31u)', (x, y) => x << (y & 31)),
    exact('shift-right', 'x >> y of u32', 'v.x >> (v.y & 31u)', (x, y) => x >>> (y & 31)),
    exact(
      'shift-sign',
      'x >> y of i32',
      'bitcast<u32>(bitcast<i32>(v.x) >> (v.y & 31u))',
      (x, y) => x >> (y & 31),
      'copies of the sign come in',
    ),
    exact('leading-zeros', 'countLeadingZeros', 'countLeadingZeros(v.x >> (v.y & 31u))', (x, y) =>
      Math.clz32(x >>> (y & 31)),
    ),
    exact(
      'divide',
      'u32 ÷ u32, by zero too',
      'v.x / v.y',
      (x, y) => (y === 0 ? x : Math.floor(x / y)),
      'exact, and x / 0 is x',
    ),
  ],
};
