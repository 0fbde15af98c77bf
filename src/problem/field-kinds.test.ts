import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeFactor, type ScaleFactor } from '../matrix/factor.ts';
import { caseOf, formatCase, parseCase, parsePattern } from './case.ts';
import { factorKind } from './field-kinds.ts';
import { ranges } from './ranges.ts';
import { whyImpossible } from './why-impossible.ts';

const kind = factorKind(ranges.factor);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
const ok = 'kernel=mine;m=3;k=4;n=5;precision=c32';

test('a factor is read back as it was', () => {
  fc.assert(
    fc.property(finite, finite, (re, im) => {
      const factor = makeFactor(re, im);
      expect(kind.read(kind.write(factor))).toEqual(factor);
      const value = caseOf({
        kernel: 'mine',
        m: 1,
        k: 1,
        n: 1,
        precision: 'c64',
        alpha: factor,
        beta: factor,
      });
      expect(parseCase(formatCase(value))).toEqual(value);
    }),
  );
});

test.each<[string, ScaleFactor]>([
  ['2', 2],
  ['-0', 0],
  ['i', { re: 0, im: 1 }],
  ['-i', { re: 0, im: -1 }],
  ['1+i', { re: 1, im: 1 }],
  ['.5-2i', Number.NaN],
  ['0.5-2e-3i', { re: 0.5, im: -0.002 }],
  ['1e3+1e-3I', { re: 1000, im: 0.001 }],
  ['3+0i', 3],
  ['2j', Number.NaN],
  ['1+2', Number.NaN],
  ['1+1e-999i', { re: 1, im: Number.NaN }],
])('%s is %o', (text, value) => {
  expect(kind.read(text)).toEqual(value);
});

describe('a case', () => {
  test('says both parts', () => {
    expect(formatCase(parseCase(`${ok};alpha= 0.5-2i;beta=i`))).toMatch(/;alpha=0\.5-2i;beta=1i$/);
  });

  test.each(['2j', '1+1e-999i', '1e400i', 'i+1', '--i', 'NaNi'])('refuses %s', (text) => {
    expect(() => parseCase(`${ok};alpha=${text}`)).toThrow(
      /"alpha" of the case must be a number from .*, or such as 0\.5-2i for complex entries/,
    );
  });

  test('of real entries has no imaginary part', () => {
    expect(whyImpossible(parseCase('kernel=mine;m=3;k=4;n=5;beta=2i'))).toBe(
      'entries are real: beta=2i takes a precision of complex ones, such as c32',
    );
    expect(whyImpossible(parseCase(`${ok};beta=2i`))).toBeUndefined();
  });

  test('is found by patterns of factors', () => {
    const value = parseCase(`${ok};alpha=1+2i`);
    const matches = (pattern: string) => parsePattern(pattern)(value);
    expect(['*', '1+2i', '1+2.0i'].map((text) => matches(`alpha=${text}`))).toEqual([true, true, true]);
    expect(['1', '0..3', '1-2i'].map((text) => matches(`alpha=${text}`))).toEqual([false, false, false]);
    expect(() => matches('alpha=ii')).toThrow('or such as 0.5-2i for complex entries');
  });
});
