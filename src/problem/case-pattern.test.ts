import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { precisionNames } from '../precision/precisions.ts';
import { changeCase, formatCase, parseCase } from './case.ts';
import { parsePattern } from './case-pattern.ts';

const value = parseCase('kernel=tfjs:webgpu;levels=1;input=special-values;m=16;k=9;n=300;seed=3');

describe('a pattern of cases', () => {
  it.each([
    ['kernel=tfjs:webgpu', true],
    ['input=special-values;kernel=tfjs:webgpu', true],
    [' kernel = tfjs:webgpu ; * ;', true],
    ['kernel=tfjs:*', true],
    ['kernel=*:webgpu', true],
    ['kernel=*f*:*pu;*', true],
    ['kernel=*webgpu*', true],
    ['kernel=*', true],
    ['kernel=tfjs', false],
    ['kernel=tfjs:wasm', false],
    ['kernel=tfjs:webgp*pu', false],
    ['kernel=tfjs:webgpu*webgpu', false],
    ['kernel=.*', false],
    ['kernel=TFJS:webgpu', false],
    ['m=16', true],
    ['m=1..16', true],
    ['m=16..16;k=*;n=300..4000', true],
    ['m=17..20', false],
    ['m=1', false],
    ['levels=1;seed=3', true],
    ['levels=0', false],
    ['precision=f32', true],
    ['precision=f*', true],
    ['precision=f16', false],
    ['a=n', true],
    ['a=t*', false],
    ['batch=1;alpha=0..1;beta=0;d=none', true],
    ['beta=0.5..1', false],
    ['edit=*', true],
    ['edit=none', true],
    ['edit=nan*', false],
    ['init=f32', true],
    ['init=f64', false],
    ['fringe=pad;tail=mask', true],
    ['fringe=peel', false],
    ['input=special-*', true],
    ['input=uniform*', false],
  ])('%s: %j', (text, matches) => {
    expect(parsePattern(text)(value)).toBe(matches);
  });

  it('made of a case is of that case alone', () => {
    const matches = parsePattern(formatCase(value));
    expect(matches(value)).toBe(true);
    for (const change of [{ kernel: 'x' }, { m: 17 }, { seed: 4 }, { fringe: 'peel' as const }]) {
      expect(matches(changeCase(value, change))).toBe(false);
    }
  });

  it('never is of a case with a planted fault', () => {
    expect(parsePattern('kernel=*')({ ...value, fault: 'dropped-last-k' })).toBe(false);
  });

  it('takes * for any characters, and no other for more than itself', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '[', '+'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (pieces, name) => {
        const expression = pieces.map((piece) => piece.replace(/[.[+]/g, '\\$&')).join('.*');
        const pattern = parsePattern(`kernel=${pieces.join('*') || '*'};m=*`);
        const expected = pieces.join('*') === '' || new RegExp(`^${expression}$`).test(name);
        expect(pattern({ ...value, kernel: name })).toBe(expected);
      }),
    );
  });

  it.each([
    ['', 'it would match every case'],
    ['*', 'it would match every case'],
    [';;', 'it would match every case'],
    ['strassen', '"strassen" has no "="'],
    ['m=1;m=2', 'it has "m" twice'],
    ['kernel=', '"kernel" has no value'],
  ])('refuses %j', (text, why) => {
    expect(() => parsePattern(text)).toThrow(
      `The pattern of cases "${text}" cannot be read: ${why}. Write it like`,
    );
  });

  it.each([
    ['kernal=x', 'Unknown key in a pattern "kernal". Did you mean "kernel"? Known: kernel, levels, fringe,'],
    ['fault=x', 'Unknown key in a pattern "fault".'],
    ['toString=x', 'Unknown key in a pattern "toString".'],
    ['input=unifrom', 'Unknown input "unifrom". Did you mean "uniform"?'],
    ['input=special_*', 'Unknown input "special_*".'],
    ['precision=f8', 'Unknown precision "f8".'],
    ['fringe=pads', 'Unknown fringe "pads". Did you mean "pad"?'],
    ['m=0x10', 'm must be a whole number, or a range such as 1..16, but is "0x10".'],
    ['m=16..1', 'm must be a whole number, or a range such as 1..16, but is "16..1".'],
    ['m=1*', 'm must be a whole number'],
    ['levels=-1', 'levels must be a whole number'],
  ])('refuses %s', (text, message) => {
    expect(() =>
      parsePattern(text, { input: ['uniform', 'special-values'], precision: precisionNames }),
    ).toThrow(message);
  });
});
