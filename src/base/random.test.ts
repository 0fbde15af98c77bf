import { expect, test } from 'vitest';
import { createRandom, Random, splitmix64 } from './random.ts';

test('xoshiro128** gives the numbers of the reference implementation for the state 1, 2, 3, 4', () => {
  const random = new Random([1, 2, 3, 4]);
  expect(Array.from({ length: 10 }, () => random.bits())).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ]);
});

test('splitmix64 gives the numbers of the reference implementation for the seed 1234567', () => {
  expect(splitmix64(1234567n, 5)).toEqual([
    6457827717110365317n,
    3203168211198807973n,
    9817491932198370423n,
    4593380528125082431n,
    16408922859458223821n,
  ]);
});

test('uniform01 is a binary32 number in [0, 1) with the mean and variance of the uniform distribution', () => {
  const random = createRandom(7);
  let sum = 0;
  let squares = 0;
  const count = 100_000;
  for (let t = 0; t < count; t++) {
    const x = random.uniform01();
    if (Math.fround(x) !== x || x < 0 || x >= 1) expect.fail(`${x} is no binary32 number in [0, 1)`);
    sum += x;
    squares += x * x;
  }
  expect(sum / count).toBeCloseTo(1 / 2, 2);
  expect(squares / count).toBeCloseTo(1 / 3, 2);
});

test('uniform01 is a multiple of 2^-53 where it is fine, down to the last bit', () => {
  const random = createRandom(7, 0, 'fine');
  const drawn = Array.from({ length: 2000 }, () => random.uniform01() * 2 ** 53);
  expect(drawn.every((x) => Number.isInteger(x) && x >= 0 && x < 2 ** 53)).toBe(true);
  for (const bit of [1, 2, 2 ** 25, 2 ** 26, 2 ** 27, 2 ** 52]) {
    const share = drawn.filter((x) => Math.floor(x / bit) % 2 === 1).length / drawn.length;
    expect(share, `bit ${Math.log2(bit)}`).toBeCloseTo(1 / 2, 1);
  }
});

test('normal has mean 0, variance 1 and a normal share beyond two sigmas', () => {
  const random = createRandom(8);
  const drawn = Array.from({ length: 100_000 }, () => random.normal());
  const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length;
  const variance = drawn.reduce((sum, x) => sum + x * x, 0) / drawn.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
  expect(drawn.filter((x) => Math.abs(x) > 2).length / drawn.length).toBeCloseTo(0.0455, 2);
  expect(drawn.every((x) => Math.abs(x) <= 6)).toBe(true);
});

test('int draws every number of its range, both ends included, equally often', () => {
  const random = createRandom(9);
  const counts = new Map<number, number>();
  for (let t = 0; t < 60_000; t++) {
    const drawn = random.int(-2, 3);
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  }
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  expect(random.int(5, 5)).toBe(5);
});

test('int favours no number of a range that does not divide 2^32', () => {
  const random = createRandom(10);
  const drawn = Array.from({ length: 30_000 }, () => random.int(0, 3 * 2 ** 30 - 1));
  expect(drawn.filter((x) => x < 2 ** 30).length / drawn.length).toBeCloseTo(1 / 3, 1);
});

test('int refuses an empty or a broken range', () => {
  const random = createRandom(1);
  expect(() => random.int(3, 2)).toThrow('ascending');
  expect(() => random.int(0, 0.5)).toThrow('whole numbers');
  expect(() => random.int(0, 2 ** 32)).toThrow('2^32');
});

test('seeds and streams differ, the same ones agree, negative seeds count', () => {
  const first = (seed: number, stream?: number) => createRandom(seed, stream).bits();
  expect(first(1, 1)).toBe(first(1, 1));
  expect(new Set([first(1), first(2), first(-1), first(1, 1), first(1, 2), first(2, 1)]).size).toBe(6);
  expect(() => createRandom(0.5)).toThrow('The seed must be a whole number');
});

test('permutation holds every index once', () => {
  const order = createRandom(3).permutation(100);
  expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(Array.from(order)).not.toEqual(Array.from({ length: 100 }, (_, at) => at));
});
