import { describe, expect, it } from 'vitest';
import type { Algorithm } from './algorithm.ts';
import { algorithmRegistry, algorithms, findAlgorithm, isOfComplex } from './algorithms.ts';
import { composePower } from './bilinear-table.ts';
import { defineAlgorithm } from './define-algorithm.ts';
import { parseAlgorithmTable, parseSum, scheduleValuesOf } from './notation.ts';
import { brentViolations } from './verify-algorithm.ts';

const strassen = findAlgorithm('strassen');
const { schedule: _, ...bare } = strassen;

/** Returns two levels of Strassen's table, ⟨4,4,4;49⟩, without its signs: right only modulo 2. */
function modulo2(): Algorithm {
  const { u, v, w, ...rest } = composePower(strassen, 2);
  const unsigned = (rows: Algorithm['u']) => rows.map((row) => row.map(Math.abs));
  return { ...rest, name: 'modulo-2', u: unsigned(u), v: unsigned(v), w: unsigned(w) };
}

const withFactor = (factor: number | string): Parameters<typeof defineAlgorithm>[0] => ({
  ...bare,
  name: 'mine',
  u: bare.u.map((row, r) => (r === 0 ? [factor, ...row.slice(1)] : row)),
});

describe('a definition', () => {
  it('takes tables of dyadic factors', () => {
    const halved = { ...bare, name: 'mine', u: bare.u.map((row) => row.map((c) => c / 2)) };
    const doubled = { ...halved, v: bare.v.map((row) => row.map((c) => 2 * c)) };
    expect(defineAlgorithm(doubled)).toBe(doubled);
  });

  it('takes fractions as texts, and gives the nearest numbers', () => {
    const by = (rows: Algorithm['u'], text: string) =>
      rows.map((row) => row.map((c) => (c === 0 ? c : c < 0 ? `-${text}` : text)));
    const { u, v } = defineAlgorithm({ ...bare, name: 'mine', u: by(bare.u, '2/3'), v: by(bare.v, '3/2') });
    expect(u).toEqual(bare.u.map((row) => row.map((c) => (2 / 3) * c + 0)));
    expect(v).toEqual(bare.v.map((row) => row.map((c) => 1.5 * c + 0)));
    const again = defineAlgorithm({ ...bare, name: 'mine', u, v });
    expect([again.u, again.v]).toEqual([u, v]);
  });

  it('takes a schedule with fractions, and checks it in fractions', () => {
    const base = { m: 1, k: 2, n: 1 };
    const table = parseAlgorithmTable('mine', base, ['1/3*A11 * 3*B11', '1/7*A12 * 7*B21'], ['M1 + M2']);
    const lines = (by: string) => [
      ['TA = 1/3*A11', 'TB = 3*B11'],
      ['TM = TA * TB', 'C11 = TM'],
      [`TA = ${by}*A12`, 'TB = 7*B21'],
      ['TM = TA * TB', 'C11 = C11 + TM'],
    ];
    const mine = { name: 'mine', title: 'Mine', what: '', source: '', ...table };
    expect(() => defineAlgorithm({ ...mine, schedule: lines('1/7') })).not.toThrow();
    expect(() => defineAlgorithm({ ...mine, schedule: lines('2/7') })).toThrow(/C11 is .*2·A12·B21/);
    expect(() => defineAlgorithm({ ...mine, schedule: lines('0.1429') })).toThrow(/its schedule is wrong/);
  });

  it.each<[string, Parameters<typeof defineAlgorithm>[0], RegExp]>([
    ['a table that fails', withFactor(2), /gives A11·B11 in C11 the factor 2, expected 1, and \d+ more/],
    ['one that holds modulo 2 alone', modulo2(), /in C\d+ the factor \d+, expected \d/],
    ['a third that is one third of another table', withFactor(1 / 3), /in C11 the factor 1\/3, expected 1/],
    ['its text', withFactor('1/3'), /in C11 the factor 1\/3, expected 1/],
    [
      'a third in few digits',
      withFactor(0.3333),
      /factor 0\.3333 in row 1 of u is neither .* nor p\/q .*; for 1\/3, write '1\/3'\.$/,
    ],
    [
      'fewer digits, which are a fraction',
      withFactor(0.333),
      /the factor 333\/1000, expected 1.*; where 0\.333 is meant for 1\/3, write '1\/3'\.$/,
    ],
    ['a denominator of 0', withFactor('1/0'), /factor 1\/0 in row 1 of u is neither p·2\^q/],
    [
      'a long numerator',
      withFactor('9007199254740993/3'),
      /factor 9007199254740993\/3 in row 1 of u is neither/,
    ],
    ['a long denominator', withFactor('1/2049'), /factor 1\/2049 in row 1 of u is neither/],
    ['a text that is no number', withFactor('a third'), /factor a third in row 1 of u is neither/],
    ['one that no half holds', withFactor(2 ** 20), /factor 1048576 in row 1 of u/],
    ['NaN', withFactor(Number.NaN), /factor NaN in row 1 of u/],
    ['infinity', withFactor(Number.POSITIVE_INFINITY), /factor Infinity in row 1 of u/],
    ['a reserved name', { ...bare, name: 'strassen-like' }, /its name is reserved/],
    ['a name with a colon', { ...bare, name: 'a:b' }, /lowercase letters, digits and hyphens/],
    [
      'a short row',
      { ...bare, name: 'mine', w: bare.w.map((row) => row.slice(1)) },
      /row 1 of w needs 4 factors/,
    ],
    ['no rows', { ...bare, name: 'mine', u: [] }, /need a row for each product/],
    [
      'a schedule that is wrong',
      { ...strassen, schedule: strassen.schedule?.slice(1) as string[][] },
      /its schedule is wrong: C12 is read before/,
    ],
    ['a line that is none', { ...strassen, schedule: [['C11 = sum(A11)']] }, /the line "C11 = sum\(A11\)"/],
    [
      'a block that is not there',
      { ...strassen, schedule: [['C11 = A31 * B11']] },
      /A has no block A31; it has 2×2 blocks/,
    ],
  ])('refuses %s in one sentence', (_, algorithm, message) => {
    const text = (() => {
      try {
        defineAlgorithm(algorithm);
      } catch (error) {
        return (error as Error).message;
      }
      return 'accepted';
    })();
    expect(text).toMatch(message);
    expect(text).not.toContain('\n');
    expect(text).toMatch(/^The algorithm "[^"]*" cannot be used: .*\.$/);
  });

  it('of a table that holds modulo 2 is refused though every equation holds there', () => {
    const violations = brentViolations(modulo2());
    expect(violations.length).toBeGreaterThan(0);
    for (const { expected, found } of violations) expect(Math.abs(found - expected) % 2).toBe(0);
  });

  it('of a name that is taken is refused by the registry', () => {
    expect(() => algorithmRegistry.with([strassen])).toThrow('strassen');
    expect(algorithmRegistry.with([{ ...strassen, name: 'mine' }]).find('mine').u).toBe(strassen.u);
    expect(algorithmRegistry.items.filter((one) => !isOfComplex(one))).toEqual(algorithms);
  });
});

describe('notation', () => {
  it('reads factors', () => {
    expect(parseSum('-A11 + 2*A12 - 1/2 * T1')).toEqual([
      { factor: -1, name: 'A11' },
      { factor: 2, name: 'A12' },
      { factor: -0.5, name: 'T1' },
    ]);
    expect(parseSum('A10,2 - 3*B1,12')?.map(({ name }) => name)).toEqual(['A10,2', 'B1,12']);
  });

  it.each(['', 'A11 +', '2A11', 'A11 * 2', '0*A11', 'A11 A12', '1/0*A11'])('refuses the sum "%s"', (text) =>
    expect(parseSum(text)).toBeUndefined(),
  );

  it('gives a name a value each time it is assigned', () => {
    const schedule = [['T1 = A11 - 2*A12'], ['T1 = T1 + A11'], ['C11 = T1 * B11']];
    const { all, groups } = scheduleValuesOf({ ...classicalOf(1), schedule });
    const [first, second, product] = groups.map(([at]) => at);
    expect(all[second]).toMatchObject({ kind: 'sum', terms: [{ of: first }, { factor: 1 }] });
    expect(all[product]).toMatchObject({ kind: 'product', x: second });
  });

  it('of a table is what it says', () => {
    const base = { m: 1, k: 2, n: 1 };
    const table = parseAlgorithmTable(
      'mine',
      base,
      ['-A11 * (B11 - 2*B21)', '(A12 + A11) * B21'],
      ['M2 - 1/2*M1'],
    );
    expect(table).toEqual({
      base,
      u: [
        [-1, 0],
        [1, 1],
      ],
      v: [
        [1, -2],
        [0, 1],
      ],
      w: [[-0.5], [1]],
    });
    expect(() => parseAlgorithmTable('mine', base, ['A11 + B11'], ['M1'])).toThrow('cannot be read at');
    expect(() => parseAlgorithmTable('mine', base, ['A11 * B11'], ['M2'])).toThrow('cannot be read at');
  });
});

/** Returns ⟨1,2,n;2⟩ by definition. */
function classicalOf(n: number): Algorithm {
  const base = { m: 1, k: 2, n };
  const table = parseAlgorithmTable('mine', base, ['A11 * B11', 'A12 * B21'], ['M1 + M2']);
  return { name: 'mine', title: 'Mine', what: '', source: '', ...table };
}
