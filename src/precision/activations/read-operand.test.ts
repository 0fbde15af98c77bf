import { expect, test } from 'vitest';
import { matrix } from '../../matrix/dense.ts';
import { readOperand } from './read-operand.ts';
import { type ActivationClaims, quantizedOperandOf } from './schemes.ts';

/** Reads a row of A by a claim. */
function read(claimed: ActivationClaims, row: readonly number[]) {
  const operand = quantizedOperandOf({}, claimed);
  if (operand === undefined) throw new Error('nothing is claimed');
  const { decoded, doubt, sums, isUnchanged } = readOperand(
    matrix(1, row.length, Float32Array.from(row)),
    operand,
  );
  return { numbers: [...decoded.data], doubt: [...doubt], sums: [...(sums?.data ?? [])], isUnchanged };
}

test('ties are in doubt until their rounding is claimed', () => {
  // The factor is 2, and the quotients are 127, 0.5, 1.5 and −2.5.
  const row = [254, 1, 3, -5];
  expect(read({ scheme: 'q8_0' }, row)).toMatchObject({ numbers: [254, 0, 4, -4], doubt: [0, 2, 0, 2] });
  const even = read({ scheme: 'q8_0', rounding: 'nearest' }, row);
  expect(even).toMatchObject({ numbers: [254, 0, 4, -4], doubt: [0, 0, 0, 0] });
  const away = read({ scheme: 'q8_0', rounding: 'nearest-away' }, row);
  expect(away).toMatchObject({ numbers: [254, 2, 4, -6], doubt: [0, 0, 0, 0] });
});

test('quotients that divisions round to either side of a tie are in doubt until one is claimed', () => {
  const row = Array.from({ length: 4096 }, (_, at) => Math.fround(Math.sin(at) * 3));
  const differing = ({ doubt }: ReturnType<typeof read>) => doubt.filter((x) => x > 0).length;
  const all = read({ scheme: 'int8-token', rounding: 'nearest' }, row);
  // Quotients near a tie are rare: one in 2^17 or so, for each of 4096 numbers.
  expect(differing(all)).toBeLessThan(4);
  const close = [11, ...Array.from({ length: 127 }, (_, at) => Math.fround(((at + 0.5) * 11) / 127))];
  expect(differing(read({ scheme: 'int8-token', rounding: 'nearest' }, close))).toBeGreaterThan(8);
  for (const division of ['reciprocal', 'quotient', 'division'] as const)
    expect(differing(read({ scheme: 'int8-token', rounding: 'nearest', division }, close))).toBe(0);
});

test('the factor of q8_0 is kept in binary16, and codes are those of the unrounded one', () => {
  const { numbers } = read({ scheme: 'q8_0' }, [3, 1]);
  // 3/127 lies between 1548·2^-16 and 1549·2^-16; 127/3 = 42.33.
  expect(numbers).toEqual([(127 * 1548) / 2 ** 16, (42 * 1548) / 2 ** 16]);
});

test('blocks have factors of their own, and the last may be shorter', () => {
  const row = [127, 1, 254, 2, 508];
  const { numbers, isUnchanged } = read({ scheme: 'int8-block', block: 2 }, row);
  expect([numbers, isUnchanged]).toEqual([row, true]);
  expect(read({ scheme: 'int8-block', block: 5 }, row).numbers).toEqual([128, 0, 256, 0, 508]);
});

test('q8_K maps the largest magnitude to −127, so that codes of its sign never reach 128', () => {
  const { numbers } = read({ scheme: 'q8_K' }, [254, -1, -254]);
  expect(numbers).toEqual([254, 0, -254]);
  const long = read(
    { scheme: 'q8_K' },
    Array.from({ length: 257 }, (_, at) => at),
  ).numbers;
  expect(long[255]).toBeCloseTo(255, 4);
  expect(long[256]).toBeCloseTo(256, 4);
});

test('uint8-token: the range of numbers and 0 becomes 0 to 255', () => {
  const { numbers, doubt } = read({ scheme: 'uint8-token' }, [-55, 200, 0, 0.4]);
  expect([numbers, doubt]).toEqual([
    [-55, 200, 0, 0],
    [0, 0, 0, 0],
  ]);
  expect(read({ scheme: 'uint8-token' }, [10, 255]).numbers).toEqual([10, 255]);
});

test('blocks of zeros are zero, and those whose factor is subnormal are all in doubt', () => {
  expect(read({ scheme: 'q8_0' }, [0, -0])).toMatchObject({
    numbers: [0, 0],
    doubt: [0, 0],
    isUnchanged: true,
  });
  const { numbers, doubt } = read({ scheme: 'int8-token' }, [2 ** -130, 0]);
  expect(numbers).toEqual([0, 0]);
  expect(Math.min(...doubt)).toBeGreaterThan(2 ** -130);
  expect(read({ scheme: 'q8_0' }, [2 ** 24]).doubt).toEqual([Number.POSITIVE_INFINITY]);
});

test('the kept sum of q8_1 may be that of codes or of numbers, in binary16', () => {
  const { sums } = read({ scheme: 'q8_1', rounding: 'nearest' }, [254, 100, 101]);
  // The codes 127, 50 and 50 sum up to 454; the numbers to 455.
  expect(sums[0]).toBeGreaterThanOrEqual(1);
  expect(sums[0]).toBeLessThan(2);
});
