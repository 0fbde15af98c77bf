import { afterEach, describe, expect, test, vi } from 'vitest';
import { inShort, isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { prepareJob } from '../src/evidence/prepare.ts';
import type { OpenDevice } from '../src/gpu/device.ts';
import { openNodeDevice } from '../src/gpu/node/open.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import { multiply } from '../src/kernels/kernel.ts';
import { parseCase } from '../src/problem/case.ts';
import { openGpu } from './device.ts';

/**
 * The law: for matrices with gaps, apart or in batches, every word written beside D is counted, and every entry of D that is not written.
 */
const { open } = await openGpu();
afterEach(() => vi.restoreAllMocks());

const SHAPE = 'input=uniform;m=5;k=4;n=3';

function jobOf(text: string, on: OpenDevice = open) {
  const value = parseCase(`${SHAPE};${text}`);
  return prepareJob(value, builtinKernel(value.kernel, on));
}

/** Returns the counts with a changed text in one of its shaders. It uses a device of its own, which keeps its pipelines. */
async function leftOf(text: string, from: string, to: string) {
  const own = await openNodeDevice({ adapter: 'software' });
  const create = own.device.createShaderModule.bind(own.device);
  let planted = 0;
  vi.spyOn(own.device, 'createShaderModule').mockImplementation((descriptor) => {
    const code = descriptor.code.replace(from, to);
    if (code !== descriptor.code) planted++;
    return create({ ...descriptor, code });
  });
  try {
    const { c: _, seconds: __, ...left } = await multiply(jobOf(text, own));
    expect(planted).toBe(1);
    return left;
  } finally {
    own.close();
  }
}

const clean = { unwritten: 0, overwritten: 0, changed: 0 };

describe.each([
  ['classical:naive', 's0[d] = r0;', 's0[d', 's0[d'],
  ['classical:register', 'laid[there] = blocks[here];', 'laid[there', 'laid[there'],
])('%s', (kernel, store) => {
  const [target] = store.split(']');
  const extra = (when: string, by: number, value: string) =>
    `${store} if (${when}) { ${target} + ${by}u] = ${value}; }`;
  const [last, one] = kernel === 'classical:naive' ? ['params.n', '1.0'] : ['params.cols', '1u'];

  test.each(
    inShort(
      [
        ['in place', 'c=n+1', 3],
        ['apart', 'c=n+1;d=n+1@2;beta=2', 3],
      ],
      2,
    ),
  )('a store to the gaps of D, %s, is counted', async (_, stored, batch) => {
    const left = await leftOf(
      `kernel=${kernel};batch=${batch};${stored}`,
      store,
      extra(`j + 1u == ${last}`, 1, one),
    );
    expect(left).toEqual({ ...clean, overwritten: 5 * batch });
  });

  test.runIf(isWhole || kernel === 'classical:naive')('a store past the end of D is', async () => {
    const end = extra('product == 1u && i == 4u && j == 2u', 1, one);
    expect(await leftOf(`kernel=${kernel};batch=2;d=n`, store, end)).toEqual({ ...clean, overwritten: 1 });
  });

  itWhole('entries that are not written are', async () => {
    const some = `if (i != 2u) { ${store} }`;
    const apart = await leftOf(`kernel=${kernel};batch=2;beta=3;d=nf`, store, some);
    expect(apart).toEqual({ ...clean, unwritten: 2 * 3 });
    const inPlace = await leftOf(`kernel=${kernel};batch=2;c=nf`, store, some);
    expect(inPlace).toEqual({ ...clean, unwritten: 2 * 3 });
  });
});

test.each(
  inShort(
    [
      ['A', 'classical:naive', 's0[d] = r0;', 's0[d] = r0; x[at(params.x, i, 0u)] = 1.5;', 5],
      [
        'A, B and C',
        'strassen:tiled;levels=1',
        'laid[there];',
        'laid[there]; laid[there] = 0x3fc00000u;',
        47,
      ],
      ['B', 'classical:naive', 's0[d] = r0;', 's0[d] = r0; y[at(params.y, 0u, j)] = 1.5;', 3],
      ['C', 'classical:naive', 's0[d] = r0;', 's0[d] = r0; s1[c] = 1.5;', 15],
    ],
    2,
  ),
)('entries of %s that are overwritten are counted', async (_, kernel, from, to, changed) => {
  const left = await leftOf(`kernel=${kernel};a=t+1;b=nf;beta=2;c=n*2;d=n`, from, to);
  expect(left).toEqual({ ...clean, changed });
});

test.each(inShort(['classical:naive', 'strassen:naive;levels=1', 'strassen:fused;levels=1'], 2))(
  'what has no entries dispatches nothing, %s',
  async (kernel) => {
    const dispatched = vi.spyOn(GPUComputePassEncoder.prototype, 'dispatchWorkgroups');
    for (const more of ['batch=0', 'batch=0;d=n', 'batch=0;c=n+2@3']) {
      const { c, ...left } = await multiply(jobOf(`kernel=${kernel};${more}`));
      expect(left).toMatchObject(clean);
      expect(c).toMatchObject({ rows: 0, cols: 3 });
    }
    for (const size of ['m', 'n']) {
      for (const more of ['', ';batch=2', ';beta=2;d=n@1']) {
        const sizes = { m: 5, k: 4, n: 3, [size]: 0 };
        const value = parseCase(
          `kernel=${kernel};input=uniform;m=${sizes.m};k=${sizes.k};n=${sizes.n}${more}`,
        );
        const { c, ...left } = await multiply(prepareJob(value, builtinKernel(value.kernel, open)));
        expect(left).toMatchObject(clean);
        expect(c.data.length).toBe(0);
      }
    }
    expect(dispatched).not.toHaveBeenCalled();
  },
);

itWhole('a broadcast operand is read by all products, and stored once', async () => {
  for (const kernel of inShort(['strassen:register;levels=1', 'classical:naive'], 2)) {
    const created = vi.spyOn(open.device, 'createBuffer');
    const dispatched = vi.spyOn(GPUComputePassEncoder.prototype, 'dispatchWorkgroups');
    const job = jobOf(`kernel=${kernel};batch=9;a=t*same;b=n`);
    expect(job.operands.a.rows).toBe(5);
    const { c } = await multiply(job);
    const sizes = created.mock.calls.map(([{ size }]) => size);
    // The buffer has 20 entries between guards, and not 180.
    expect(sizes).toContain(4 * (20 + 2 * 64 + 44));
    // The first of several dispatches packs A: 64 entries a workgroup.
    if (kernel !== 'classical:naive') expect(dispatched.mock.calls[0]).toEqual([1, 1]);
    vi.restoreAllMocks();
    const apart = jobOf(`kernel=${kernel};batch=9;a=t;b=n`);
    const a = { rows: 45, cols: 4, data: new Float32Array(180) };
    for (let p = 0; p < 9; p++) a.data.set(job.operands.a.data, 20 * p);
    const again = await multiply({ ...apart, operands: { ...apart.operands, a, b: job.operands.b } });
    expect(c).toEqual(again.c);
  }
});

test('what is too large is refused before anything is allocated, and says what fits', async () => {
  const limits = new Proxy(open.limits, {
    get: (all, key) =>
      key === 'maxBufferSize' || key === 'maxStorageBufferBindingSize' ? 2 ** 16 : Reflect.get(all, key),
  });
  const small = { ...open, limits };
  const created = vi.spyOn(open.device, 'createBuffer');
  const sized = 'm=200;k=4;n=4;input=uniform';
  const refused = (text: string) => {
    const value = parseCase(`${sized};${text}`);
    return multiply(prepareJob(value, builtinKernel(value.kernel, small)));
  };
  await expect(refused('kernel=classical:naive;batch=40')).rejects.toThrow(
    /needs 128512 bytes for A, but the device can bind at most 65536\. .* fit up to n = 20\.$/,
  );
  await expect(refused('kernel=classical:register;a=t;batch=10')).rejects.toThrow(
    /bytes for W, but the device can bind at most 65536\. .* fit up to n = 22\.$/,
  );
  expect(created).not.toHaveBeenCalled();
});
