import { expect, it } from 'vitest';
import { keptMemory } from './kept-memory.ts';

it('gives the same memory again, once it was taken back, to whoever asks for as much', () => {
  const memory = keptMemory(100);
  const first = memory.take(40);
  expect(memory.take(40)).not.toBe(first);
  memory.takeBack();
  const again = [memory.take(40), memory.take(40)];
  expect(again).toContain(first);
  expect(again[0]).not.toBe(again[1]);
  memory.takeBack();
  expect(memory.take(39).byteLength).toBe(39);
});

it('keeps no more than it may, what was taken last before the rest', () => {
  const memory = keptMemory(100);
  const [small, other, large] = [memory.take(60), memory.take(50), memory.take(101)];
  memory.takeBack();
  expect(memory.take(101)).not.toBe(large);
  expect(memory.take(50)).not.toBe(other);
  expect(memory.take(60)).toBe(small);
  memory.takeBack();
  const last = memory.take(51);
  memory.takeBack();
  memory.takeBack();
  expect(memory.take(51)).toBe(last);
  expect(memory.take(60)).not.toBe(small);
});
