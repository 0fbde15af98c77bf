import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { roundInteger } from './bigint.ts';
import { roundDigitSums } from './digit-sums.ts';

const RUNS = 2000;

/** Splits an integer into weights; the highest takes the remainder. */
function weightsOf(of: bigint, count: number, width: number): number[] {
  let rest = of;
  const weights: number[] = [];
  for (let d = 0; d < count - 1; d++) {
    const digit = BigInt.asIntN(width, rest);
    weights.push(Number(digit));
    rest = (rest - digit) >> BigInt(width);
  }
  return [...weights, Number(rest)];
}

it.each([2, 3, 5, 7].flatMap((count) => [8, 13, 14, 16].map((width) => [count, width])))(
  'sums of %d weights in base 2^%d beside ties are rounded as integers are',
  (count, width) => {
    const random = createRandom(count * width, 1);
    const upTo = (bits: number) => BigInt(Math.round(random.uniform(-1, 1) * 2 ** Math.min(bits, 52)));
    // A highest word of 53 bits, half of its last place, and a tail that ends anywhere below: any word can break the tie.
    const unit = BigInt(Math.max(0, width * (count - 1) - 1));
    const sums = Array.from({ length: RUNS }, () => {
      const tail = upTo(random.int(0, 52)) << BigInt(Math.max(0, random.int(0, Number(unit)) - 52));
      return (2n ** 52n + upTo(51)) * 2n ** unit + (random.int(0, 1) === 0 ? 2n ** unit / 2n : 0n) + tail;
    });
    const lines = sums.map((sum) => weightsOf(sum, count, width));
    const weights = Array.from({ length: count }, (_, d) => Float64Array.from(lines, (line) => line[d]));
    const [value, low] = [new Float64Array(RUNS), new Float64Array(RUNS)];
    const units = { row: 1, columns: new Float64Array(RUNS).fill(1) };
    roundDigitSums({ width, weights }, { from: 0, count: RUNS }, units, value, low, 0);
    expect(Array.from(value, (one, at) => ({ value: one, low: low[at] }))).toEqual(
      sums.map((sum) => roundInteger(sum, 0)),
    );
  },
);
