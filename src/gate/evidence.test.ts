import { expect, it, vi } from 'vitest';
import { emulated } from '../formats/arithmetic.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { builtinPlan } from '../kernel/builtin.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { mirrorKernel } from '../kernel/mirror-kernel.ts';
import { exactProduct } from '../reference/exact.ts';
import { parseCase } from './case.ts';
import { Laboratory } from './evidence.ts';

const arithmetic = { ...emulated('f32'), fused: true };
const open = { arithmetic, fingerprint: { id: 'cpu' } } as OpenDevice;

/** The plan of a kernel of ours, computed on the CPU. */
const kernel = (leaf: string): Kernel => ({
  ...mirrorKernel('strassen', arithmetic),
  leaf,
  plan: (shape, manner) => builtinPlan(`strassen:${leaf}`, shape, manner),
});

const START = 'kernel=strassen:any;levels=1;input=uniform;m=30;k=30;n=30';

it('is the same whatever was judged before', async () => {
  const cases = ['naive', 'register', 'tiled'].flatMap((leaf) =>
    ['guard', 'pad'].flatMap((edge) =>
      ['pad', 'peel'].map((border) => ({ leaf, value: parseCase(`${START};border=${border};edge=${edge}`) })),
    ),
  );
  const shared = new Laboratory(exactProduct);
  for (const { leaf, value } of cases) {
    const alone = await new Laboratory(exactProduct).gather(value, kernel(leaf), open);
    const after = await shared.gather(value, kernel(leaf), open);
    expect(after.analysis).toEqual(alone.analysis);
    expect(after.measures).toEqual(alone.measures);
  }
});

it('computes the exact product of an input once', async () => {
  const exact = vi.fn(exactProduct);
  const laboratory = new Laboratory(exact);
  for (const [leaf, seed] of [
    ['naive', 1],
    ['register', 1],
    ['naive', 2],
  ] as const) {
    await laboratory.gather(parseCase(`${START};seed=${seed}`), kernel(leaf), open);
  }
  expect(exact).toHaveBeenCalledTimes(2);
});
