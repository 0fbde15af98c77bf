import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { integerDot, toIntegers } from './bigint.ts';
import { addToExpansion, roundToPair } from './expansion.ts';
import { addExactly, multiplyExactly } from './pairs.ts';

const random = createRandom(23, 1);
const draw = () =>
  random.int(-(2 ** 30), 2 ** 30) * (1 + random.int(0, 2 ** 20) * 2 ** -52) * 2 ** random.int(-40, 40);
const LEAST = -260;
const whole = (...x: number[]) => toIntegers(Float64Array.from(x), 0, x.length, LEAST);
const sumOf = (x: readonly bigint[]) => x.reduce((sum, one) => sum + one, 0n);

it('sums and products of two doubles are two doubles, the first of them rounded', () => {
  for (let run = 0; run < 200; run++) {
    const [x, y] = [draw(), draw()];
    const [sum, product] = [addExactly(x, y), multiplyExactly(x, y)];
    expect([sum[0], product[0]]).toEqual([x + y, x * y]);
    expect(sumOf(whole(...sum))).toBe(sumOf(whole(x, y)));
    const units = 2n ** BigInt(-LEAST);
    expect(sumOf(whole(...product)) * units).toBe(integerDot(whole(x), whole(y)));
  }
});

it('an expansion is the sum of what it grew by, its components ascending, and rounds to the nearest pair', () => {
  for (let run = 0; run < 100; run++) {
    const terms = Array.from({ length: random.int(1, 12) }, draw);
    const expansion: number[] = [];
    for (const term of terms) addToExpansion(expansion, term);
    const exact = sumOf(whole(...terms));
    expect(sumOf(whole(...expansion))).toBe(exact);
    expect(
      expansion.every((x, at) => x !== 0 && (at === 0 || Math.abs(x) > Math.abs(expansion[at - 1]))),
    ).toBe(true);
    const { value, low } = roundToPair(expansion);
    const rest = exact - sumOf(whole(value));
    expect(value).toBe(Number(exact) * 2 ** LEAST);
    expect(low).toBe(Number(rest) * 2 ** LEAST);
  }
});
