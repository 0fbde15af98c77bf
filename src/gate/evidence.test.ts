import { describe, expect, it, vi } from 'vitest';
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

describe('many products at once', () => {
  const requestOf = (text: string, of: Kernel = kernel('naive')) => ({ case: parseCase(text), kernel: of });

  it('give the evidence that each gives alone, or its problem', async () => {
    const requests = [
      requestOf(`${START};edit=zero-rows:0-3`),
      requestOf(`${START};layout=tn`),
      requestOf('kernel=strassen:any;input=inverse-pair;m=2;k=3;n=4'),
      requestOf(`${START};seed=9`),
    ];
    const many = await new Laboratory(exactProduct).gatherMany(requests, open);
    expect(
      many.map((one) => ('error' in one ? one.error.code : one.evidence.measures.exact.entries)),
    ).toEqual([900, 'kernel-refuses', 'input-refused', 900]);
    const alone = await new Laboratory(exactProduct).gather(requests[0].case, requests[0].kernel, open);
    expect(many[0]).toMatchObject({ evidence: { measures: alone.measures, family: { hasIdeal: false } } });
  });
});

describe('a layout', () => {
  it('is handed to a kernel that takes it', async () => {
    const multiply = vi.fn(kernel('naive').multiply);
    const layouts = { ...kernel('naive'), multiply, layouts: true };
    await new Laboratory(exactProduct).gather(parseCase(`${START};layout=nt+3`), layouts, open);
    expect(multiply.mock.lastCall?.[4]).toEqual({ transposeA: false, transposeB: true, pad: 3 });
  });

  it('is refused for one that does not, unless it is the plain one', async () => {
    const gather = (layout: string) =>
      new Laboratory(exactProduct).gather(parseCase(`${START};layout=${layout}`), kernel('naive'), open);
    await expect(gather('tn')).rejects.toThrow(/does not multiply 30×30×30 laid out as tn, because/);
    await expect(gather('nn')).resolves.toBeDefined();
  });
});
