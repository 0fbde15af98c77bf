import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { requireProduct } from '../../gpu/runner/product.ts';
import { matrix } from '../../matrix/dense.ts';
import { type Gemm, plainGemm } from '../../matrix/gemm.ts';
import type { GpuCall, GpuKernel } from '../user-kernel.ts';
import { openEncodeKernel } from './open-on-gpu.ts';

const open = await openNodeDevice({ adapter: 'software' });
// Words are copied here, whatever they hold.
beforeAll(() => {
  vi.spyOn(open.device.features, 'has').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
  open.close();
});

const [m, n, batch] = [5, 7, 2];
const laid = { op: 'n', order: 'row', ld: 8, offset: 3, stride: 41 } as const;
const copied: Gemm = { ...plainGemm({ m, k: 3, n }), batch, alpha: 0, beta: 1, c: laid, d: { ...laid } };

const operands = {
  a: matrix(m, 3, new Float32Array(15).fill(2)),
  b: matrix(3, n, new Float32Array(21).fill(2)),
  c: matrix(
    batch * m,
    n,
    Float32Array.from({ length: batch * m * n }, (_, at) => at / 8),
  ),
};

/** Returns the result where words are copied from a range to another, shifted by some bytes. */
async function left(
  precision: string,
  ranges: ((call: GpuCall) => [GpuCall['c'], GpuCall['c']]) | undefined,
  shift = 0,
) {
  const encode = (call: GpuCall) => {
    if (ranges === undefined) return;
    const [from, to] = ranges(call);
    const encoder = call.device.createCommandEncoder();
    encoder.copyBufferToBuffer(from.buffer, from.offset, to.buffer, to.offset + shift, from.size);
    call.device.queue.submit([encoder.finish()]);
  };
  const kernel = { name: 'copies', precision, accepts: 'everything', encode } as GpuKernel;
  const [outcome] = await openEncodeKernel(kernel, () => open).run([{ operands, gemm: copied }]);
  const { seconds: _, ...rest } = requireProduct(outcome);
  return rest;
}

describe.each(['f32', 'f16'])('entries in %s that lie with gaps', (precision) => {
  const [both, clean] = [
    ({ c, d }: GpuCall) => [c, d] as [typeof c, typeof d],
    { unwritten: 0, overwritten: 0 },
  ];

  test('come back as they were', async () => {
    expect(await left(precision, both)).toEqual({ ...clean, changed: 0, c: operands.c });
  });

  test('are counted where they are not written', async () => {
    const { c, ...counts } = await left(precision, undefined);
    expect(counts).toEqual({ changed: 0, unwritten: 70, overwritten: 0 });
    expect(c.data.every(Number.isNaN)).toBe(true);
  });

  test('are counted where they are written a word too far', async () => {
    const { unwritten, overwritten } = await left(precision, both, 4);
    // For f32 the first entry of every row, every gap and a guard; for f16, two entries a word, those of the wider gaps included.
    expect([unwritten, overwritten]).toEqual(precision === 'f16' ? [12, 12] : [10, 11]);
  });

  test('of C are counted where D is written over them', async () => {
    const counts = await left(precision, ({ a, c }) => [a, c]);
    expect(counts).toMatchObject({ unwritten: 70, overwritten: 0 });
    expect(counts.changed).toBeGreaterThan(0);
  });
});
