import { expect, it } from 'vitest';
import { precisionOfFormats, precisions } from './precisions.ts';

it.each([
  ['f32', 'f32', 'f32', 'f32'],
  ['f64', 'f64', 'f64', 'f64'],
  // Of two precisions, the one with wider sums.
  ['f16', 'f16', 'f16', 'f16-f32-f16'],
  ['bf16', 'bf16', 'bf16', 'bf16-f32-bf16'],
  ['bf16', 'bf16', 'f32', 'bf16-f32'],
  ['f16', 'f16', 'f32', 'f16-f32'],
  ['e4m3', 'e4m3', 'f32', 'e4m3-f32'],
  ['e4m3', 'e4m3', 'bf16', 'e4m3-f32-bf16'],
  ['int8', 'int8', 'i32', 'int8-i32'],
  ['uint8', 'int8', 'i32', 'uint8-i32'],
  ['f32', 'f32', 'f64', undefined],
  ['f32', 'f64', 'f64', undefined],
  ['e4m3', 'e5m2', 'f32', undefined],
  ['int8', 'uint8', 'i32', undefined],
])('A in %s, B in %s and D in %s make %s', (a, b, d, name) => {
  expect(precisionOfFormats({ a, b, d }, precisions)?.name).toBe(name);
});
