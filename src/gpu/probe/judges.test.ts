import { describe, expect, test } from 'vitest';
import { encodeBits, makeAnsweredCase, numberOfBits } from './draws.ts';
import { type FormatGrid, grid16, grid32, roundings, roundToGrid } from './grid.ts';
import { groups } from './probe.ts';
import type { AnsweredCase, ProbeFinding, ProbeQuestion } from './question.ts';

const questions = new Map(groups.flatMap((group) => group.questions.map((q) => [q.id, q])));

/** Returns the finding about a device that answers a question with these numbers, or bits. */
function found(
  id: string,
  device: (asked: AnsweredCase, index: number) => number,
  as = encodeBits,
): ProbeFinding {
  const { cases, judge } = questions.get(id) as ProbeQuestion;
  return judge(
    cases.map((words, i) => makeAnsweredCase(words, as(device(makeAnsweredCase(words, 0), i)) >>> 0)),
  );
}

const same = (x: number): number => x;
const f = Math.fround;

describe('rounding', () => {
  test.each(roundings.map((rounding) => [rounding.name, rounding] as const))(
    '%s is told',
    (name, rounding) => {
      const standing = name === 'to nearest, ties to even' ? 'ieee' : 'allowed';
      const sum = ({ x, y }: AnsweredCase): number => roundToGrid(x + y, grid32, rounding);
      expect(found('f32.add.ties', sum)).toEqual({ answer: `${name}: all 40 cases`, standing, fact: name });
    },
  );

  test.each<[string, number, FormatGrid]>([
    ['f32', 1 / 3, grid32],
    ['f16', 1 / 3, grid16],
    ['f16', 2 ** -24 * 1.4, grid16],
  ])('to the grid of %s is to its neighbours', (_, x, grid) => {
    const [down, up] = ['downward', 'upward'].map((name) =>
      roundToGrid(
        x,
        grid,
        roundings.find((r) => r.name === name),
      ),
    );
    expect(down).toBeLessThan(x);
    expect(up).toBeGreaterThan(x);
    expect(roundToGrid(x, grid)).toBe(x - down < up - x ? down : up);
  });

  const ulps = (x: number, count: number): number => numberOfBits(encodeBits(x) + count);

  test('a sum one ulp off is forbidden, a quotient 2 ulp off is not, one 3 ulp off is', () => {
    expect(found('f32.add.random', ({ x, y }, i) => ulps(f(x + y), i === 7 ? 1 : 0))).toMatchObject({
      answer: expect.stringMatching(/^to nearest in 299 of 300 cases, at most 1\.\d\d ulp off$/),
      standing: 'broken',
    });
    expect(found('f32.div', ({ x, y }) => ulps(f(x / y), 2)).standing).toBe('allowed');
    expect(found('f32.div', ({ x, y }, i) => ulps(f(x / y), i === 7 ? 4 : 0)).standing).toBe('broken');
  });

  test('results that are no numbers are forbidden', () => {
    expect(found('f32.sqrt', ({ x }, i) => (i === 3 ? Number.NaN : f(Math.sqrt(x))))).toEqual({
      answer: 'to nearest in 299 of 300 cases, some not a finite number',
      standing: 'broken',
    });
  });

  test('f16 kept in f32 is told', () => {
    expect(found('f16.mul', ({ x, y }) => f(x * y))).toMatchObject({
      answer: expect.stringMatching(/^kept wider than f16: in \d+ of 200 cases/),
      standing: 'allowed',
    });
  });
});

describe('a device that contracts, reassociates and flushes as an NVIDIA H200', () => {
  // x·y and z are so small that a double holds the sum of most cases, and of all that cancel.
  const once = ({ x, y, z }: AnsweredCase): number => f(x * y + z);
  const fused = ({ x, y }: AnsweredCase): number => x * y - f(x * y);

  test('fma rounds once', () => {
    expect(found('f32.fma', once)).toMatchObject({ fact: 'fused', standing: 'ieee' });
    expect(found('f32.contract.add', once)).toMatchObject({ fact: 'fused', standing: 'allowed' });
    expect(found('f32.contract.sub', (a) => once({ ...a, z: -a.z }))).toMatchObject({ fact: 'fused' });
    expect(found('f32.contract.from', (a) => once({ ...a, x: -a.x }))).toMatchObject({ fact: 'fused' });
  });

  test('a product by fma is exact, TwoSum and the split vanish', () => {
    expect(found('f32.two-product-fma.plain', fused)).toMatchObject({ fact: 'exact' });
    expect(found('f32.two-product.plain', () => 0)).toMatchObject({ fact: 'deleted', standing: 'allowed' });
    expect(found('f32.two-sum.plain', () => 0)).toMatchObject({ fact: 'deleted', standing: 'allowed' });
    expect(found('f32.veltkamp.plain', ({ x }) => x)).toMatchObject({ fact: 'deleted' });
    expect(found('f32.two-sum.guarded', ({ x, y }) => x + y - f(x + y))).toMatchObject({ fact: 'exact' });
  });

  test('subnormal numbers vanish, but not when they are only moved', () => {
    expect(found('f32.subnormal.result.mul', () => -0)).toMatchObject({ fact: 'flushed' });
    expect(found('f32.subnormal.moved', () => 0)).toMatchObject({ fact: 'flushed' });
    expect(found('f32.subnormal.moved', () => 1).standing).toBe('broken');
  });
});

test("Kahan's sum is told from the plain one", () => {
  const plain = ({ x, y, words }: AnsweredCase): number => {
    let s = x;
    for (let i = 0; i < words[3]; i++) s = f(s + y);
    return s;
  };
  expect(found('f32.kahan.plain', plain)).toMatchObject({ fact: 'deleted' });
  // Sums of 64 terms are exact in double.
  expect(found('f32.kahan.plain', ({ x, y }) => f(x + 64 * y)).fact).not.toBe('deleted');
});

test('an answer that nothing explains is told by its first case', () => {
  const dot = (_: AnsweredCase, i: number): number => (i === 0 ? 4 : 5);
  expect(found('integer.dot-u8', dot, same)).toEqual({
    answer: 'exact in 0 of 68 cases; case 1 gives 4, not 260100',
    standing: 'broken',
  });
});

test('signs of zeros, and copies that differ', () => {
  expect(found('f32.zero.mul', () => 0)).toEqual({ answer: '+0', standing: 'allowed' });
  expect(found('f32.zero.mul', () => 1).standing).toBe('broken');
  expect(found('repeat.sum', (_, i) => (i === 900 ? 1 : 2))).toEqual({
    answer: '2 different results in 1280 copies',
    standing: 'allowed',
  });
});
