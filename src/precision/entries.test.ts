import { expect, test } from 'vitest';
import { storageOfEntries } from './entries.ts';
import { halfPrecision } from './half.ts';
import { precisions } from './precisions.ts';

test.each([
  ['f32', undefined, 'f32'],
  ['f32', 'f32', 'f32'],
  ['f16-f32', undefined, 'f32'],
  ['f16', undefined, 'f16'],
  ['f16', 'f32', 'f32'],
] as const)('%s in entries %s is stored as %s', (precision, asked, stored) => {
  expect(storageOfEntries('mine', precisions.find(precision), asked).name).toBe(stored);
});

test.each([
  ['f64', undefined, /at most 32 bits, too few for f64/],
  ['f32x2', undefined, /at most 32 bits, too few for f32x2/],
  ['f32', 'f16', /entries in f16 cannot hold the A, B and C of f32/],
  ['bf16-f32', 'f16', /entries in f16 cannot hold/],
  ['f32', 'toString', /its entries are "toString"/],
] as const)('%s in entries %s is refused', (precision, asked, why) => {
  expect(() => storageOfEntries('mine', precisions.find(precision), asked as 'f32')).toThrow(why);
});

test.each(['f32', 'f16'] as const)(
  '%s: entries come back, and what lies around them is told apart',
  (name) => {
    const entries = storageOfEntries('mine', halfPrecision, name);
    const words = new Uint32Array(8).fill(entries.trap);
    const values = Float32Array.of(1, -0, 0.5, Infinity, 2 ** -24);
    entries.store(values, words.subarray(1));
    expect(entries.load(words.subarray(1), 5)).toEqual(values);
    expect(words[0]).toBe(entries.trap);
    expect([...entries.load(words, 1), ...entries.load(words.subarray(7), 1)]).toEqual([NaN, NaN]);
    const poison = new Uint32Array(1);
    entries.bits(poison).fill(entries.poison);
    const distinct = new Set([entries.trap, entries.guard, poison[0]]);
    expect(distinct.size).toBe(3);
    expect(entries.load(poison, 1)).toEqual(Float32Array.of(NaN));
  },
);
