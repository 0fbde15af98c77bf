import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT, ParanoiaError } from '../base/errors.ts';
import { precisionNames, precisions } from '../precision/precisions.ts';
import { type Case, caseOf, formatCase, parseCase } from './case.ts';
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
