import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { precisionNames } from '../../src/precision/precisions.ts';
import {
  type Case,
  caseOf,
  flattenCase,
  formatCase,
  operandsText,
  parseCase,
  parsePattern,
} from '../../src/problem/case.ts';
import { allFields, fieldOf } from '../../src/problem/fields.ts';
import { readKind } from '../../src/problem/kinds.ts';
import { fringes, tails } from '../../src/problem/method.ts';
import { gaps, inits, ops, type Storage } from '../../src/problem/problem.ts';
import { schemaOf } from '../../src/problem/schema.ts';

/** The contract: every codec of every drawn case is a round trip, and all of them agree. */

const many = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const storage: fc.Arbitrary<Storage> = fc.record({
  op: fc.constantFrom(...ops),
  order: fc.constantFrom('row', 'column'),
  pad: fc.oneof(fc.constant(0), many),
  inc: fc.option(fc.integer({ min: 2, max: 2 ** 31 - 1 }), { nil: undefined }),
  offset: fc.oneof(fc.constant(0), many),
  gap: fc.oneof(fc.constant(0), many, fc.constantFrom(...gaps)),
});
const size = fc.integer({ min: 1, max: 32_768 });
const factor = fc
  .oneof(fc.constantFrom(0, 1, -1, 0.5), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((x) => x + 0);
const word = fc.string({ unit: fc.constantFrom(...'abz09:-+.'), minLength: 1, maxLength: 12 });

/** Draws every field from all its values; a field that is left out has its default. */
const drawn: fc.Arbitrary<Case> = fc
  .record(
    {
      kernel: word,
      levels: fc.nat(15),
      fringe: fc.constantFrom(...fringes),
      tail: fc.constantFrom(...tails),
      input: word,
      m: size,
      k: size,
      n: size,
      seed: fc.nat(2 ** 32 - 1),
      batch: fc.integer({ min: 1, max: 65_535 }),
      precision: fc.constantFrom(...precisionNames),
      init: fc.constantFrom(...inits),
      edit: fc.constantFrom('none', 'powers', 'spread:3,zero-rows:0-4.7'),
      alpha: factor,
      beta: factor,
      a: storage,
      b: storage,
      c: storage,
      d: storage,
      fault: word.filter((text) => text !== 'none'),
    },
    { requiredKeys: ['kernel', 'm', 'k', 'n'] },
  )
  .map(caseOf);

test('every field of a case has its record', () => {
  const all = flattenCase(caseOf({ kernel: 'x', m: 1, k: 1, n: 1, d: fieldOf('c').usual?.({}), fault: 'y' }));
  expect(Object.keys(all).sort()).toEqual(allFields.map(({ key }) => key).sort());
});

test('text, values and JSON are round trips that agree', () => {
  fc.assert(
    fc.property(drawn, (value) => {
      const text = formatCase(value);
      expect(parseCase(text)).toEqual(value);
      expect(formatCase(parseCase(text))).toBe(text);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      for (const field of allFields) {
        const own = flattenCase(value)[field.key];
        const { kind, key } = field;
        expect(readKind(kind, kind.write(own), { field: key, where: key })).toEqual(own);
        expect(kind.holds(own, {})).toBe(true);
        expect(schemaOf(kind).safeParse(own).success).toBe(true);
      }
    }),
    { numRuns: isWhole ? 100 : 25 },
  );
});

test('a text says what is not usual, and no more than it must', () => {
  fc.assert(
    fc.property(drawn, (value) => {
      const parts = formatCase(value).split(';');
      const optional = allFields.filter((field) => !field.said).map(({ key }) => `${key}=`);
      for (const part of parts.filter((one) => optional.some((key) => one.startsWith(key)))) {
        const without = parts.filter((one) => one !== part).join(';');
        // Without its precision, a formula may be computed in another one, which the text then states.
        if (!part.startsWith('precision=')) expect(parseCase(without)).not.toEqual(value);
      }
    }),
  );
});

test('a pattern made of a case is of that case; operands are the same where what decides them is', () => {
  fc.assert(
    fc.property(drawn, drawn, (value, other) => {
      const { fault: _, ...honest } = value;
      expect(parsePattern(formatCase(honest))(honest)).toBe(true);
      expect(parsePattern(formatCase(honest))(value)).toBe(value.fault === undefined);
      const decided = allFields.filter(({ of }) => of.includes('operands')).map(({ key }) => key);
      const same = decided.every((key) => flattenCase(value)[key] === flattenCase(other)[key]);
      expect(operandsText(value) === operandsText(other)).toBe(same);
      const made = caseOf({
        ...flattenCase(other),
        ...Object.fromEntries(decided.map((key) => [key, flattenCase(value)[key]])),
      });
      expect(operandsText(made)).toBe(operandsText(value));
    }),
  );
});

test('a range is of its ends, of what lies between, and of nothing else', () => {
  fc.assert(
    fc.property(drawn, drawn, drawn, (value, other, third) => {
      for (const { key } of allFields) {
        const [x, y, z] = [value, other, third].map((one) => flattenCase(one)[key]);
        if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') continue;
        const [least, most] = [Math.min(x, y), Math.max(x, y)];
        const inRange = parsePattern(`${key}=${least}..${most}`);
        const honest = [value, other, third].map(({ fault: _, ...one }) => inRange(one));
        expect(honest).toEqual([true, true, least <= z && z <= most]);
      }
    }),
  );
});

test('usual texts are those of the documents', () => {
  const text =
    'kernel=strassen:register;levels=2;fringe=pad;tail=mask;input=uniform;m=129;k=65;n=33;seed=7;batch=4;beta=0.5;a=t+3;b=n*same';
  expect(formatCase(parseCase(text))).toBe(text);
  expect(parseCase(text).problem).toMatchObject({
    batch: 4,
    beta: 0.5,
    a: { op: 't', pad: 3 },
    b: { gap: 'same' },
  });
});
