import { expect, test } from 'vitest';
import { findPrecision, precisionNames, precisions } from './precision.ts';

test.each(precisionNames)('%s is found by its name and by its title', (name) => {
  expect(precisions[name].name).toBe(name);
  expect(findPrecision(name)).toBe(precisions[name]);
  expect(findPrecision(precisions[name].title)).toBe(precisions[name]);
});

test('an unknown name is refused with the nearest one', () => {
  expect(() => findPrecision('bf16')).toThrow(/Unknown precision "bf16"/);
  expect(() => findPrecision('tf32-f23')).toThrow('Did you mean "tf32-f32"?');
});

test('mixed precisions are stored and summed in binary32, the others are of one format', () => {
  for (const { name, stored, operands, working } of Object.values(precisions)) {
    expect(stored).toBe(working);
    expect(operands !== stored).toBe(name.includes('-'));
    if (operands !== stored) expect([working.name, `${operands.name}-f32`]).toEqual(['f32', name]);
  }
});
