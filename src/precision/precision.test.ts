import { describe, expect, test } from 'vitest';
import { codings } from './coding/codings.ts';
import { definePrecision } from './define-precision.ts';
import { binaryFormat, f16, f32, f64 } from './format.ts';
import { isSampled, precisions } from './precisions.ts';

test('an unknown name is refused with the nearest one', () => {
  expect(() => precisions.find('bf16')).toThrow(/Unknown precision "bf16"/);
  expect(() => precisions.find('tf32-f23')).toThrow('Did you mean "tf32-f32"?');
});

test('mixed precisions are stored and summed in binary32, the others are of one format', () => {
  for (const { name, a, d, multiplied, accumulated } of precisions.items.filter(isSampled)) {
    expect([a, d]).toEqual([accumulated, accumulated]);
    expect(multiplied !== a).toBe(name.includes('-'));
    if (multiplied !== a) expect([accumulated.name, `${multiplied.name}-f32`]).toEqual(['f32', name]);
  }
});

test('others are named for entries, sums and results, or entries alone where sums are exact, and multiply entries as they are', () => {
  for (const { name, a, c, d, multiplied, accumulated } of precisions.items.filter(
    (one) => !isSampled(one) && one.coded === undefined && one.multiplied.split === undefined,
  )) {
    const isRoundedOnce = accumulated.unitRoundoff === 0 && d === a;
    const formats = isRoundedOnce ? [a] : d === accumulated ? [a, accumulated] : [a, accumulated, d];
    expect(name).toBe(formats.map((format) => format.name).join('-'));
    expect([multiplied, c]).toEqual([a, d]);
  }
});

test('those of coded operands come with results of their sums, or narrower ones', () => {
  const coded = precisions.items.filter(({ coded }) => coded !== undefined);
  expect(coded).toHaveLength(3 * codings.items.length);
  for (const { name, c, d, accumulated } of coded) {
    const [, result] = /-f32-(f16|bf16)$/.exec(name) ?? [];
    expect([c.name, d.name, accumulated.name]).toEqual([result ?? 'f32', result ?? 'f32', 'f32']);
  }
});

describe('a precision that cannot be', () => {
  const wide = binaryFormat('wide', 12, -14);
  const far = binaryFormat('far', 8, -100);
  test.each([
    [{ stored: f64 }, 'f64 has numbers that binary32 does not hold'],
    [{ stored: f16, result: f64 }, 'f64 has numbers that binary32 does not hold'],
    [{ stored: f32, multiplied: f64 }, 'f64 has numbers that binary32 does not hold'],
    [{ stored: wide }, 'sums outside binary32 need formats of at most 11 bits'],
    [{ stored: far }, 'sums outside binary32 need formats of at most 11 bits'],
    [{ stored: f32, multiplied: far, accumulated: f16 }, 'sums outside binary32 need'],
  ])('%o is refused', (formats, why) => {
    const refused = () => definePrecision({ name: 'mine', what: 'mine', ...formats });
    expect(refused).toThrow(`The precision "mine" cannot be computed: ${why}`);
  });
});
