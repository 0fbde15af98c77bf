import { expect, test } from 'vitest';
import { assumedArithmetic } from '../../kernel/assumed-arithmetic.ts';
import type { OpenDevice } from '../device.ts';
import { foreignArithmetic } from './foreign-arithmetic.ts';

const arithmetic = {
  ...assumedArithmetic('f32'),
  ...{ fused: true, flushesOperands: true, flushesBelow: 2 ** -126, roundsToNearest: false, mirrored: true },
};
const open = { arithmetic, device: { features: new Set() } } as unknown as OpenDevice;

test.each(['f32', 'tf32-f32'] as const)('%s is what was measured, never mirrored', async (precision) => {
  const expected = { ...arithmetic, precision, fused: false, mirrored: false };
  expect(await foreignArithmetic(precision, open)).toEqual(expected);
  const claims = { exceptions: false };
  expect(await foreignArithmetic(precision, open, claims)).toEqual({
    ...expected,
    exceptionsFollowIeee: false,
  });
});

test('a device that computes exceptions its own way is held to none', async () => {
  const own = { ...open, arithmetic: { ...arithmetic, exceptionsFollowIeee: false } };
  expect(await foreignArithmetic('f32', own, { exceptions: true })).toMatchObject({
    exceptionsFollowIeee: false,
  });
});

test('f16 without shader-f16 is converted, which may give either neighbour', async () => {
  expect(await foreignArithmetic('f16', open)).toMatchObject({
    ...{ precision: 'f16', roundsToNearest: false, exceptionsFollowIeee: false, mirrored: false },
  });
});

test.each(['f64', 'f32x2'] as const)('%s is assumed', async (precision) => {
  expect(await foreignArithmetic(precision, open)).toEqual(assumedArithmetic(precision));
});
