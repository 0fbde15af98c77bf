import { afterAll, expect, test, vi } from 'vitest';
import { openNodeDevice } from '../node/open.ts';
import { CASE_WORDS } from './ask.ts';
import { encodeBits, numberOfBits } from './draws.ts';
import { errorFreeCases, judgeErrorFree, measureErrorFree } from './error-free.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const f = Math.fround;
const head = (x: number): number => numberOfBits(encodeBits(x) & 0xfffff000);

/** The transformations on the CPU, with every step rounded to binary32. */
const steps = [
  (x: number, y: number): [number, number] => {
    const s = f(x + y);
    const t = f(s - x);
    return [s, f(f(x - f(s - t)) + f(y - t))];
  },
  (x: number, y: number): [number, number] => {
    const p = f(x * y);
    const [xh, yh] = [head(x), head(y)];
    const [xl, yl] = [f(x - xh), f(y - yh)];
    return [p, f(f(f(f(f(xh * yh) - p) + f(xh * yl)) + f(xl * yh)) + f(xl * yl))];
  },
];

/** Returns the answers of a device that runs these transformations. */
function device([sum, product]: typeof steps): Uint32Array {
  const cases = errorFreeCases();
  return Uint32Array.from({ length: cases.length / CASE_WORDS }, (_, i) => {
    const [x, y, which, part] = cases.subarray(CASE_WORDS * i);
    return encodeBits((which === 0 ? sum : product)(numberOfBits(x), numberOfBits(y))[part]);
  });
}

test('both are exact where every step rounds to nearest', () => {
  expect(judgeErrorFree(device(steps))).toEqual({ exact: true });
});

test('a compiler that deletes TwoSum, and an error one bit off, are found out', () => {
  const [sum, product] = steps;
  expect(judgeErrorFree(device([(x, y) => [f(x + y), 0], product]))).toEqual({
    exact: false,
    reason: expect.stringMatching(/^guarded TwoSum loses its error in \d{3} of 1048 cases$/),
  });
  const words = device(steps);
  words[words.length - 1] ^= 1;
  expect(judgeErrorFree(words).reason).toBe('guarded TwoProduct loses its error in 1 of 1048 cases');
  expect(judgeErrorFree(device([sum, (x, y) => [f(x * y), 0]])).exact).toBe(false);
});

test('the software adapter keeps them, and is asked once', async () => {
  const create = vi.spyOn(open.device, 'createShaderModule');
  const [first, second] = await Promise.all([measureErrorFree(open), measureErrorFree(open)]);
  expect(first).toEqual({ exact: true });
  expect(second).toBe(first);
  expect(create).toHaveBeenCalledTimes(1);
});
