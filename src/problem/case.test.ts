import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT, ParanoiaError } from '../base/errors.ts';
import { precisionNames, precisions } from '../precision/precisions.ts';
import { type Case, caseOf, changeCase, formatCase, parseCase, parsePattern } from './case.ts';
import { widePrecisions } from './fields.ts';

const size = fc.integer({ min: 1, max: 32768 });
const name = fc.constantFrom('classical:naive', 'strassen:register', 'winograd:tiled-8', 'a=b');
const cases: fc.Arbitrary<Case> = fc
  .record(
    {
      kernel: name,
      levels: fc.integer({ min: 0, max: 15 }),
      fringe: fc.constantFrom('pad', 'peel'),
      tail: fc.constantFrom('mask', 'pad'),
      input: fc.constantFrom('uniform', 'integers', 'special-values'),
      m: size,
      k: size,
      n: size,
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      init: fc.constantFrom('f32', 'f64'),
      precision: fc.constantFrom(...precisionNames),
      edit: fc.constantFrom('powers', 'spread:3,zero-rows:0-4.7'),
      fault: fc.constantFrom('dropped-last-k', 'stale-tile'),
    },
    { requiredKeys: ['kernel', 'm', 'k', 'n'] },
  )
  .map(caseOf);

describe('a case as a query string', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(cases, (value) => {
        expect(parseCase(formatCase(value))).toEqual(value);
      }),
    );
  });

  it('is the same in any order and spacing', () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.nat()), (value, keys) => {
        const parts = formatCase(value).split(';');
        const shuffled = parts
          .map((part) => ({ part, key: keys.next().value }))
          .sort((x, y) => Number(x.key) - Number(y.key))
          .map(({ part }) => ` ${part.replace('=', ' = ')} `);
        expect(parseCase(`${shuffled.join(';')};`)).toEqual(value);
      }),
    );
  });

  it('takes defaults for what it leaves out', () => {
    expect(formatCase(parseCase('kernel=classical:naive;m=3;k=4;n=5'))).toBe(
      'kernel=classical:naive;levels=0;fringe=pad;tail=mask;input=uniform;m=3;k=4;n=5;seed=1',
    );
  });
});

it('names its precision, one of those that are known', () => {
  const text = `${ok};precision=tf32-f32`;
  expect(parseCase(text).problem.precision).toBe('tf32-f32');
  expect(parseCase(text, { precision: ['tf32-f32'] }).problem.precision).toBe('tf32-f32');
  expect(() => parseCase(text, { precision: ['tf32-f23'] })).toThrow('Did you mean "tf32-f23"?');
  expect(formatCase(parseCase(`${ok};precision=f64`))).toMatch(/;precision=f64$/);
});

const ok = 'kernel=classical:naive;m=3;k=4;n=5';

describe('a case that cannot be read', () => {
  const refused: [text: string, code: string, says: string][] = [
    ['', 'bad-case', '"kernel" is missing'],
    ['m=3;k=4;n=5', 'bad-case', '"kernel" is missing'],
    ['kernel=classical:naive;m=3;n=5', 'bad-case', '"k" is missing'],
    [`${ok};levels`, 'bad-case', '"levels" has no "="'],
    [`${ok};m=4`, 'bad-case', 'it has "m" twice'],
    [`${ok};level=2`, 'unknown-name', 'Unknown key in a case "level". Did you mean "levels"?'],
    [`${ok};sed=2`, 'unknown-name', 'Did you mean "seed"?'],
    [`${ok};=2`, 'unknown-name', 'Unknown key in a case "".'],
    [`${ok};fringe=pel`, 'unknown-name', 'Unknown fringe "pel". Did you mean "peel"?'],
    [`${ok};tail=mas`, 'unknown-name', 'Unknown tail "mas". Did you mean "mask"?'],
    [`${ok};init=f16`, 'unknown-name', 'Unknown init "f16".'],
    [
      `${ok};levels=16`,
      'bad-number',
      '"levels" of the case must be a whole number from 0 to 15, but is "16"',
    ],
    [`${ok};levels=-1`, 'bad-number', '"levels" of the case must be'],
    [`${ok};seed=4294967296`, 'bad-number', '"seed" of the case must be a whole number from 0 to 4294967295'],
    [
      `${ok};seed=`,
      'bad-number',
      '"seed" of the case must be a whole number from 0 to 4294967295, but is ""',
    ],
    ...['-3', '1.5', '1e10', 'abc', '0x10', ' ', '2147483648', 'Infinity', 'NaN', '1e400'].map(
      (given): [string, string, string] => [
        `kernel=classical:naive;m=3;k=${given};n=5`,
        'bad-number',
        `"k" of the case must be a whole number from 0 to 2147483647, but is "${given.trim()}"`,
      ],
    ),
  ];
  it.each(refused)('%s', (text, code, says) => {
    expect(refusal(text)).toMatchObject({ code, exitCode: EXIT.usage });
    expect(refusal(text)?.message).toContain(says);
  });

  it('is always refused with a sentence, never with another error', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...ok.split(';'), 'm', 'k=', '=', ';', 'seed=1e', 'levels=9'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(refusal(pieces.join(';')) ?? new ParanoiaError('bad-case', 2, '')).toBeInstanceOf(
          ParanoiaError,
        );
      }),
    );
  });
});

function refusal(text: string): ParanoiaError | undefined {
  try {
    parseCase(text);
    return undefined;
  } catch (error) {
    return error as ParanoiaError;
  }
}

it('knows the precisions that binary32 does not hold', () => {
  const wide = precisions.items
    .filter(({ a, coded }) => a.bytes > 4 && coded === undefined)
    .map(({ name: own }) => own);
  expect([...widePrecisions].sort()).toEqual(wide.sort());
});

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
