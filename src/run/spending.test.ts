import { expect, it, vi } from 'vitest';
import { caseOf } from '../problem/case.ts';
import { Spending } from './spending.ts';

const cube = (size: number, kernel = 'mine') => caseOf({ kernel, m: size, k: size, n: size });

it('affords what is as fast as the largest before, for a sixth of it at most', () => {
  const spending = new Spending(60);
  expect(spending.affords(cube(4096))).toBe(true);
  // 2^18 products of 8 ns each, including their 3 · 2^12 entries.
  spending.spent([cube(64)], 2 ** 18 * 8e-9);
  expect(spending.affords(cube(1280))).toBe(true);
  expect(spending.affords(cube(1290))).toBe(false);
  expect(spending.affords(cube(1290, 'other'))).toBe(true);
  // A larger product's longer time counts; a small one's does not.
  spending.spent([cube(128)], 2 ** 21 * 16e-9);
  spending.spent([cube(8)], 1);
  spending.spent([cube(64)], 1);
  expect(spending.affords(cube(930))).toBe(true);
  expect(spending.affords(cube(940))).toBe(false);
  spending.spent([cube(1)], 52);
  expect(spending.affords(cube(780))).toBe(true);
  expect(spending.affords(cube(790))).toBe(false);
  spending.spent([cube(1)], 6);
  expect(spending.affords(cube(1))).toBe(false);
  expect(spending.affords(cube(1024, 'other'))).toBe(true);
});

it('does not begin what may take longer than it may', () => {
  const spending = new Spending(60, { most: 5 });
  spending.spent([cube(64)], 2 ** 18 * 8e-9);
  expect(spending.affords(cube(1100))).toBe(false);
  expect(spending.affords(cube(800))).toBe(true);
});

it('affords every case that a pass needs, however long it may take, up to a limit if there is one', () => {
  const needed = { ...cube(600), needed: true };
  let now = 0;
  const spending = new Spending(10, { most: 5, longest: 60, clock: () => now });
  // 60 million products a second.
  spending.spent([cube(64)], 2 ** 18 / 60e6);
  expect([cube(600), needed].map((value) => spending.affords(value))).toEqual([false, true]);
  spending.spent([cube(4)], 12);
  expect([cube(4), needed].map((value) => spending.affords(value))).toEqual([false, true]);
  spending.begin(needed);
  const over = [53_900, 54_100].map((later) => {
    now = later;
    return spending.isOver();
  });
  expect(over).toEqual([false, true]);
  spending.spent([needed], 49);
  expect(spending.affords(needed)).toBe(false);
  const unlimited = new Spending(10);
  unlimited.spent([cube(64)], 1e6);
  expect([cube(4), needed].map((value) => unlimited.affords(value))).toEqual([false, true]);
});

it('does not foresee of what has as many entries as products what one of few entries takes', () => {
  const spending = new Spending(10);
  // As measured: most of it is the time of entries.
  spending.spent([caseOf({ kernel: 'mine', m: 10582, k: 31, n: 1 })], 0.15);
  expect(spending.affords(caseOf({ kernel: 'mine', m: 29, k: 38, n: 8917 }))).toBe(true);
  expect(spending.affords(caseOf({ kernel: 'mine', m: 384, k: 167, n: 384 }))).toBe(true);
  expect(spending.affords(cube(512))).toBe(false);
});

it('learns nothing of a case that waited for its process, and of cases that are alike the quicker', () => {
  const spending = new Spending(60);
  spending.spent([cube(64)], 5, false);
  expect(spending.affords(cube(1200))).toBe(true);
  spending.spent([cube(64)], 1);
  expect(spending.affords(cube(256))).toBe(false);
  spending.spent([cube(64)], 2 ** 18 * 8e-9);
  spending.spent([cube(64)], 1);
  expect(spending.affords(cube(1200))).toBe(true);
});

it('does not begin what asks a slow kernel again and again', () => {
  const often = (repeats: number) => caseOf({ kernel: 'mine', m: 4, k: 4, n: 4, repeats });
  const program = caseOf({ kernel: 'mine', m: 4, k: 4, n: 4, program: 3 });
  const spending = new Spending(60);
  spending.spent([cube(4)], 2.5);
  expect([1, 4, 5, 1000].map((repeats) => spending.affords(often(repeats)))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(spending.affords(program)).toBe(false);
  // The time of judging a quick case is not multiplied.
  spending.spent([cube(4)], 0.09);
  expect([often(1000), program].map((value) => spending.affords(value))).toEqual([true, true]);
  // An untrusted kernel has a long life instead.
  const wary = new Spending(60, { most: 5 });
  wary.spent([cube(4)], 2.5);
  expect([often(1000), often(999)].map((value) => wary.affords(value))).toEqual([true, false]);
});

it('is over for a case a tenth of it late, and for the work after the cases three tenths later', () => {
  let now = 0;
  const spending = new Spending(10, { clock: () => now });
  const at = (later: number) => {
    now = later;
    return spending.isOver();
  };
  const start = (begin: () => void) => {
    now = 0;
    begin();
  };
  expect(at(1e9)).toBe(false);
  spending.spent([cube(4)], 8);
  start(() => spending.begin(cube(4)));
  expect([2999, 3001].map(at)).toEqual([false, true]);
  start(() => spending.begin(cube(4, 'other')));
  expect(at(1e9)).toBe(false);
  start(() => spending.begin(caseOf({ kernel: 'other', m: 4, k: 4, n: 4, repeats: 2 })));
  expect(at(1e9)).toBe(true);
  start(() => spending.beginBehind('mine'));
  expect([4999, 5001].map(at)).toEqual([false, true]);
  expect(['mine', 'other'].map((kernel) => spending.state(kernel).left)).toEqual([3, 11]);
  // Work after cases that took longer than the budget has as much time.
  spending.spentBefore('mine', 100);
  start(() => spending.beginBehind('mine'));
  expect([2999, 3001].map(at)).toEqual([false, true]);
});

it('counts the seconds of its clock, from begin to spent', () => {
  let now = 0;
  const spending = new Spending(10, { clock: () => now });
  spending.begin(cube(4));
  now = 2500;
  spending.spent([cube(4)]);
  expect(spending.state('mine').spent).toBe(2.5);
});

it('reads a clock only once it can have reached the limit', () => {
  const wall = vi.spyOn(performance, 'now').mockReturnValue(0);
  const read = vi.fn(() => 1e9);
  const spending = new Spending(10, { clock: Object.assign(read, { mostPerMs: 4 }) });
  spending.spent([cube(4)], 1);
  read.mockReturnValueOnce(0);
  spending.begin(caseOf({ kernel: 'mine', m: 4, k: 4, n: 4, repeats: 2 }));
  read.mockClear();
  const overAt = (ms: number) => {
    wall.mockReturnValue(ms);
    return spending.isOver();
  };
  // 11 s less one spent are left, which four cores reach in 2.5 s.
  expect([0, 2499].map(overAt)).toEqual([false, false]);
  expect(read).not.toHaveBeenCalled();
  expect(overAt(2501)).toBe(true);
  wall.mockRestore();
});

it('starts what a pass does not need only if enough time is left for what it needs', () => {
  const needed = { ...cube(128), needed: true, series: false };
  const spending = new Spending(10);
  const series = false;
  spending.reserve([needed, { ...cube(512), series }, { ...needed, kernel: 'other' }]);
  // 2 s for 128³ and its entries.
  const rate = 2 / (2 ** 21 + 16 * 3 * 2 ** 14);
  spending.spent([cube(64)], rate * (2 ** 18 + 16 * 3 * 2 ** 12));
  spending.spent([cube(1)], 7);
  expect(spending.affords(cube(64))).toBe(true);
  spending.spent([cube(1)], 0.7);
  expect(spending.affords(cube(64))).toBe(false);
  expect(spending.affords(needed)).toBe(true);
  spending.begin(needed);
  expect(spending.affords(cube(64))).toBe(true);
});

it('foresees a sweep by the least seconds of the kernel for a product, and learns no pace of calls from it', () => {
  const sweep = caseOf({ kernel: 'mine', m: 2, k: 2, n: 2, sweep: 200 });
  const spending = new Spending(60);
  spending.spent([sweep], 0.2);
  expect(spending.speedOf('mine')).toEqual({ call: 0, work: 0, product: 0 });
  spending.spent([cube(2)], 5, true, 0.001);
  expect(spending.affords(sweep)).toBe(true);
  const slow = new Spending(60);
  for (const seconds of [0.2, 0.06, 0.1]) slow.spent([cube(2)], 0.01, true, seconds);
  expect(slow.speedOf('mine').product).toBe(0.06);
  expect([sweep, cube(2)].map((value) => slow.affords(value))).toEqual([false, true]);
});

it('starts a short sweep whatever time it reserves for what a pass needs, and no long one', () => {
  const sweep = caseOf({ kernel: 'mine', m: 2, k: 2, n: 2, sweep: 200 });
  const spending = new Spending(10);
  spending.reserve([{ ...cube(4096), needed: true, series: false }]);
  spending.spent([cube(64)], 0.01, true, 0.004);
  expect([sweep, cube(2)].map((value) => spending.affords(value))).toEqual([true, false]);
  const slow = new Spending(10);
  slow.reserve([{ ...cube(4096), needed: true, series: false }]);
  slow.spent([cube(64)], 0.01, true, 0.006);
  expect(slow.affords(sweep)).toBe(false);
  spending.spent([cube(64)], 9.5);
  expect(spending.affords(sweep)).toBe(false);
});
