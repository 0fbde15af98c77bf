import { expect, test } from 'vitest';
import type { OpenDevice } from '../../gpu/device.ts';
import { type Arithmetic, assumed } from '../../precision/arithmetic.ts';
import { claimedIn } from '../../precision/precision.ts';
import { precisions } from '../../precision/precisions.ts';
import { externalComputation } from './external-arithmetic.ts';

const arithmetic: Arithmetic = {
  rounding: 'faithful',
  fma: 'once',
  subnormals: { operands: true, below: 2 ** -126 },
  exceptions: true,
  modelled: true,
};
const open = { arithmetic, device: { features: new Set() } } as unknown as OpenDevice;
const inName = (name: string, claims?: Partial<Arithmetic>, on: OpenDevice | undefined = open) =>
  externalComputation(precisions.find(name), { arithmetic: claims }, on);

test.each(['f32', 'tf32-f32'])('%s is what was measured, never mirrored', async (name) => {
  const expected = { ...arithmetic, fma: 'either', modelled: false };
  expect(await inName(name)).toEqual({ precision: precisions.find(name), arithmetic: expected });
  const claims = { exceptions: false, rounding: 'toward-zero' } as const;
  expect((await inName(name, claims)).arithmetic).toEqual({ ...expected, ...claims });
});

test('a device that computes exceptions its own way is held to none', async () => {
  const own = { ...open, arithmetic: { ...arithmetic, exceptions: false } };
  expect((await inName('f32', { exceptions: true }, own)).arithmetic.exceptions).toBe(false);
});

test('f16 without shader-f16 is converted, which may give either neighbour', async () => {
  expect((await inName('f16')).arithmetic).toMatchObject({
    ...{ rounding: 'faithful', exceptions: false, modelled: false },
  });
});

test.each(['f64', 'f32x2'])('%s is assumed', async (name) => {
  expect(await inName(name)).toEqual(claimedIn(precisions.find(name)));
  expect((await inName(name)).arithmetic).toEqual({ ...assumed, exceptions: name === 'f64' });
});

test('all is assumed where nothing can be measured', async () => {
  const found = await externalComputation(precisions.find('f32'), undefined);
  expect(found.arithmetic).toEqual(assumed);
});
