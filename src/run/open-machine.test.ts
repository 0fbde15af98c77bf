import { expect, test } from 'vitest';
import type { OpenDevice } from '../gpu/device.ts';
import { type Arithmetic, type ArithmeticClaims, assumed } from '../precision/arithmetic.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { externalComputation } from './open-machine.ts';

const arithmetic: Arithmetic = {
  rounding: 'faithful',
  fma: 'once',
  subnormals: { operands: true, below: 2 ** -126 },
  exceptions: true,
  modeled: true,
};
const open = { arithmetic, device: { features: new Set() } } as unknown as OpenDevice;
const inName = (name: string, claims?: ArithmeticClaims, on: OpenDevice | undefined = open) =>
  externalComputation(precisions.find(name), { arithmetic: claims }, on);

test.each(['f32', 'tf32-f32'])('%s is what was measured, never mirrored', async (name) => {
  const expected = { ...arithmetic, fma: 'either', modeled: false };
  expect(await inName(name)).toMatchObject({ precision: precisions.find(name), arithmetic: expected });
  const claims = { exceptions: false, rounding: 'toward-zero' } as const;
  expect((await inName(name, claims)).arithmetic).toEqual({ ...expected, ...claims });
});

test('of sums of narrower products, matrix units may be at work, unless it is claimed how they round', async () => {
  const runningIn = async (name: string, claims?: ArithmeticClaims) =>
    (await inName(name, claims)).sums?.running;
  expect(await runningIn('f32')).toBeUndefined();
  expect((await runningIn('tf32-f32'))?.length).toBeGreaterThan(1);
  expect(await runningIn('tf32-f32', { rounding: 'nearest' })).toBeUndefined();
  const accumulator = { terms: 8, bits: 26 };
  expect(await runningIn('tf32-f32', { accumulator })).toEqual([{ ...accumulator, rounding: 'faithful' }]);
});

test('a device that computes exceptions its own way is held to none', async () => {
  const own = { ...open, arithmetic: { ...arithmetic, exceptions: false } };
  expect((await inName('f32', { exceptions: true }, own)).arithmetic.exceptions).toBe(false);
});

test('f16 without shader-f16 is converted, which may give either neighbour', async () => {
  expect((await inName('f16')).arithmetic).toMatchObject({
    ...{ rounding: 'faithful', exceptions: false, modeled: false },
  });
});

test.each(['f64', 'f32x2'])('%s is assumed', async (name) => {
  expect(await inName(name)).toEqual(applyClaims(precisions.find(name)));
  expect((await inName(name)).arithmetic).toEqual({ ...assumed, exceptions: name === 'f64' });
});

test('all is assumed where nothing can be measured', async () => {
  const found = await externalComputation(precisions.find('f32'), undefined);
  expect(found.arithmetic).toEqual(assumed);
});
