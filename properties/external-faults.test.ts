import { describe, expect, test, vi } from 'vitest';
import { itWhole } from '../src/base/in-short.testing.ts';
import { openNodeDevice } from '../src/gpu/node/open.ts';
import type { GpuCall, GpuKernel, WgslKernel } from '../src/kernels/user-kernel.ts';
import { openGpu } from './device.ts';
import { changed, failures, judging, naive } from './external.ts';

/** The law: no fault of a user's kernel passes, none ends the run, and none is attributed to the next product. */
const { open } = await openGpu();

const INTEGERS = 'input=integers;m=13;k=9;n=11';
const run = (kernel: WgslKernel | GpuKernel) => judging(kernel, open)(INTEGERS);
const withWgsl = (change: object): WgslKernel => ({ ...naive, wgsl: { ...naive.wgsl, ...change } });
const encoding = (encode: (call: GpuCall) => unknown, more: Partial<GpuKernel> = {}): GpuKernel => ({
  name: 'my-encoder',
  encode: encode as GpuKernel['encode'],
  ...more,
});

test('the kernel without a fault passes', async () => {
  expect(await run(naive)).toMatchObject({ verdict: 'pass' });
});

describe('in a kernel that runs', () => {
  const guarded = 'i >= m || j >= n';
  const store = 'c[i * n + j] = sum;';
  test.each([
    ['one row too many', guarded, 'i > m || j >= n', 'complete', /^11 words outside C/],
    ['one entry too far', store, 'c[i * n + j + 1] = sum;', 'complete', /never written, in row 0; 1 word/],
    ['the last row left out', guarded, 'i >= m - 1 || j >= n', 'complete', /^11 of 143.*row 12/],
    ['an operand overwritten', store, `${store} a[i * k] = 1.5;`, 'complete', /^13 entries of the operands/],
    ['words behind an operand', store, `${store} b[k * n] = 1.5;`, 'complete', /^1 word outside/],
    ['one term too many', 'p < k', 'p <= k', 'exact', /found NaN/],
    ['one term too few', 'p < k', 'p + 1 < k', 'exact', /the last term of k is missing/],
    ['nothing dispatched that stores', store, `if (sum == 0.123) { ${store} }`, 'complete', /^143 of 143/],
  ])('%s', async (_, from, to, check, message) => {
    const result = await run(changed(naive, from, to));
    expect(failures(result)).toContain(check);
    expect(result.checks.find(({ name }) => name === check)?.message).toMatch(message);
  });

  itWhole('guard words are out of reach where the length of C is asked for', async () => {
    const measured = changed(naive, guarded, 'i * n + j >= arrayLength(&c) || j >= n');
    expect(await run(measured)).toMatchObject({ verdict: 'pass' });
    const named = changed(naive, store, 'if (arrayLength(&a) > 0) { c[i * n + j + 1] = sum; }');
    expect((await run(named)).reason).toMatch(/row 0; 1 word/);
    const commented = changed(naive, store, 'c[i * n + j + 1] = sum; // arrayLength(&c)');
    expect((await run(commented)).reason).toMatch(/row 0; 1 word/);
    const byPointer = changed(
      naive,
      guarded,
      'j >= n) { return; } let all = &c; if (i * n + j >= arrayLength(all)',
    );
    expect(await run(byPointer)).toMatchObject({ verdict: 'pass' });
  });
});

describe('in WGSL that cannot run', () => {
  test.each<[string, WgslKernel, RegExp]>([
    ['syntax', changed(naive, 'var sum = 0.0', 'var sum = 0u'), /my-naive, its WGSL, line 15, column \d+: /],
    ['entry point', withWgsl({ entryPoint: 'mian' }), /making the pipeline of "mian": .*doesn't exist/],
    ['a binding left out', withWgsl({ bindings: undefined }), /binding A at 0, B at 1, C at 2 of group 0: /],
    [
      'a binding that the source has not',
      withWgsl({ bindings: { a: 0, b: 1, c: 2, sizes: 5 } }),
      /index 5 not present/,
    ],
    [
      'a binding of another kind',
      withWgsl({ bindings: { a: 0, b: 1, c: 3, sizes: 2 } }),
      /C at 3.*expected usage/,
    ],
    [
      'C only to be read',
      changed(naive, '(2) var<storage, read_write>', '(2) var<storage, read>'),
      /read-only/,
    ],
    ['a constant that is none', withWgsl({ constants: { TILE: 4 } }), /constant ""TILE"" not found/],
    [
      'a workgroup too large',
      changed(naive, 'workgroup_size(8, 8)', 'workgroup_size(8192)'),
      /exceeds the maximum/,
    ],
  ])('%s', async (_, kernel, message) => {
    const result = await run(kernel);
    expect(result.verdict).toBe('fail');
    expect(result.reason).toMatch(message);
  });

  test('f16 without shader-f16 says nothing about the kernel', async () => {
    const device = Object.create(open.device, { features: { value: new Set() } });
    const without = { ...open, device };
    const half = { ...changed(naive, '\n', 'enable f16;\n'), precision: 'f16' as const };
    for (const kernel of [half, encoding(() => {}, { precision: 'f16' })]) {
      const result = await judging(kernel, without)(INTEGERS);
      expect(result).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringContaining('shader-f16, which'),
      });
    }
  });

  test('matrices above the limits of the device', async () => {
    const limits = { ...limitsOf(open.limits), maxStorageBufferBindingSize: 600 };
    const result = await judging(naive, { ...open, limits })(INTEGERS);
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/bytes for A, but the device can bind at most 600/),
    });
  });
});

test('a buffer that cannot be mapped says nothing about the kernel', async () => {
  const create = vi.spyOn(open.device, 'createBuffer').mockImplementation(() => {
    throw new RangeError('too little memory');
  });
  const { verdict, reason } = await run(naive);
  create.mockRestore();
  expect(verdict).toBe('inconclusive');
  expect(reason).toMatch(/out of memory in my-naive, allocating buffers: too little memory/);
});

describe('in work that is encoded', () => {
  const copy = ({ device, a, c }: GpuCall, beyond = 0) => {
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(a.buffer, a.offset ?? 0, c.buffer, (c.offset ?? 0) + beyond, a.size ?? 0);
    device.queue.submit([encoder.finish()]);
  };
  const mapped = async ({ device }: GpuCall) => {
    const buffer = device.createBuffer({
      size: 16,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    await buffer.mapAsync(GPUMapMode.READ);
    return buffer;
  };
  test.each<[string, (call: GpuCall) => unknown, RegExp]>([
    ['nothing submitted', () => {}, /^143 of 143 entries of C were never written/],
    ['not all written', (call) => copy(call), /^26 of 143 entries.*in rows 10 to 12/],
    ['guard words overwritten', (call) => copy(call, 4 * 40), /; 14 words outside C/],
    [
      'an exception',
      () => {
        throw new TypeError('x is not y.');
      },
      /^my-encoder threw an error: x is not y\.$/,
    ],
    ['a rejected promise', () => Promise.reject('no'), /^my-encoder threw an error: no\.$/],
    [
      'a validation error',
      ({ device }) => device.createBuffer({ size: 16, usage: 0 }),
      /encoding and running/,
    ],
    [
      'a validation error, then an exception',
      ({ device }) => {
        device.createShaderModule({ code: 'fn' });
        throw new Error('later');
      },
      /parsing WGSL/,
    ],
    ['C destroyed', ({ c }) => c.buffer.destroy(), /copying the result: .*destroyed/],
    ['a mapped buffer left behind', (call) => mapped(call).then(() => copy(call)), /^26 of 143/],
    [
      'a mapped buffer used',
      async (call) => {
        const buffer = await mapped(call);
        const encoder = call.device.createCommandEncoder();
        encoder.clearBuffer(buffer);
        call.device.queue.submit([encoder.finish()]);
      },
      /while mapped/,
    ],
  ])('%s', async (_, encode, message) => {
    const result = await run(encoding(encode));
    expect(result.verdict).toBe('fail');
    expect(result.reason).toMatch(message);
    expect(await run(naive)).toMatchObject({ verdict: 'pass' });
  });

  test('memory that runs out says nothing about the kernel', async () => {
    const greedy = ({ device }: GpuCall) => {
      const usage = GPUBufferUsage.STORAGE;
      const size = device.limits.maxBufferSize;
      const buffers = Array.from({ length: 4096 }, () => device.createBuffer({ size, usage }));
      for (const buffer of buffers) buffer.destroy();
    };
    const result = await run(encoding(greedy));
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('out of memory'),
    });
  });

  test('work that never ends, or too late: what it submits then harms nobody', async () => {
    const never = encoding(() => new Promise(() => {}), { timeLimit: 0.02 });
    expect((await run(never)).reason).toMatch(/returned nothing for 13×9×11 within 0.02 s/);
    const submitted = vi.fn();
    let comeIn: () => void = () => {};
    const judged = new Promise<void>((resolve) => {
      comeIn = resolve;
    });
    const late = async (call: GpuCall) => {
      await judged;
      copy(call);
      submitted();
    };
    expect((await run(encoding(late, { timeLimit: 0.02 }))).verdict).toBe('fail');
    comeIn();
    const waiting = encoding(() =>
      vi.waitUntil(() => submitted.mock.calls.length > 0, { timeout: 1_800_000 }),
    );
    expect((await run(waiting)).reason).toMatch(/never written/);
  });

  itWhole('the device destroyed', async () => {
    const doomed = await openNodeDevice({ adapter: 'software' });
    const destroying = encoding(({ device }) => device.destroy());
    await expect(judging(destroying, doomed)(INTEGERS)).rejects.toMatchObject({ code: 'device-lost' });
  });
});

/** Copies limits, which are getters of a prototype. */
function limitsOf(limits: GPUSupportedLimits): GPUSupportedLimits {
  const all: Record<string, unknown> = {};
  for (const name in limits) all[name] = limits[name as keyof GPUSupportedLimits];
  return all as unknown as GPUSupportedLimits;
}
