import { expect, it } from 'vitest';
import { describeSkipped } from './omitted-cases.ts';

const text = (m: number, k: number, n: number, kernel = 'mine') => `kernel=${kernel};m=${m};k=${k};n=${n}`;
const ran = (m: number, k: number, n: number) => ({ kernel: 'mine', case: text(m, k, n) });

it('says nothing where all cases ran', () => {
  expect(describeSkipped([], [])).toBeUndefined();
});

it('names the largest case, or the only one', () => {
  const run = [ran(400, 30, 40), ran(20, 30, 40)];
  expect(describeSkipped([text(300, 20, 20), text(10, 20, 30)], run)?.sentence).toBe(
    '2 of 4 cases did not run, for lack of time; the largest of these is 300×20×20.',
  );
  expect(describeSkipped([text(9, 20, 20)], run)?.sentence).toBe(
    '1 of 3 cases, 9×20×20, did not run, for lack of time.',
  );
});

it('gives the share of expected faults of the kernel that lacks most', () => {
  const alike = Array.from({ length: 50 }, (_, seed) => `${text(20, 30, 40)};seed=${seed}`);
  const run = alike.map((one) => ({ kernel: 'mine', case: one }));
  const [few, many] = [1, 40].map(
    (count) => describeSkipped(alike.slice(count), run.slice(0, count))?.share ?? 0,
  );
  // Cases of one kind soon show what all of them show.
  expect(few).toBeGreaterThan(0.1);
  expect(many).toBeGreaterThan(few);
  expect(many).toBeLessThan(1);
  expect(describeSkipped([text(9, 9, 9), text(300, 7, 9, 'other')], run)?.share).toBe(0);
});
