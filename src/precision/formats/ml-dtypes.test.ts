import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formats } from './formats.ts';

interface Converted {
  /** The patterns of the numbers. */
  readonly encoded: string;
  /** The numbers of all patterns. */
  readonly decoded?: string;
}

const fixture = JSON.parse(
  readFileSync(new URL('../../../fixtures/formats/ml-dtypes.json', import.meta.url), 'utf8'),
) as { readonly numbers: string; readonly formats: Readonly<Record<string, Converted>> };

const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer;
const numbers = new Float32Array(bytes(fixture.numbers));

const converted = Object.entries(fixture.formats);
const listed = converted.flatMap(([name, { decoded }]) =>
  decoded === undefined ? [] : [[name, decoded] as const],
);

test.each(listed)('every pattern of %s is the number that ml_dtypes decodes', (name, decoded) => {
  const { code } = formats.find(name);
  const found = new Float32Array(bytes(decoded));
  expect(found.length).toBe(2 ** code.bits);
  expect(Array.from(found, (_, pattern) => code.decode(pattern))).toEqual([...found]);
});

/**
 * True if ml_dtypes differs by its own convention: for NaN in a format that has none; and for powers of two, where zero becomes NaN and
 * subnormal binary32 numbers become the power above.
 */
const isOwn = (name: string, x: number): boolean =>
  Number.isNaN(x) ? !formats.find(name).holds.nan : name === 'e8m0' && x >= 0 && x < 2 ** -126;

test.each(converted)(
  '10,000 numbers have the patterns in %s that ml_dtypes gives them',
  (name, { encoded }) => {
    const { code } = formats.find(name);
    const words = code.bits > 8 ? new Uint16Array(bytes(encoded)) : new Uint8Array(bytes(encoded));
    expect(words.length).toBe(numbers.length);
    const wrong = [...numbers].flatMap((x, at) => {
      if (isOwn(name, x)) return [];
      const [own, other] = [code.encode(x), words[at]].map(code.decode);
      return Object.is(own, other) ? [] : [{ x, own, other }];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);
