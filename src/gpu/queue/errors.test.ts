import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { openNodeDevice } from '../node/open.ts';
import { compileShader, readMapped, withScopes } from './errors.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const { device } = open;
const running = { kernel: 'strassen', step: 'combine 3' };
const storage = GPUBufferUsage.STORAGE;

test('bad WGSL is told by line, column and source', async () => {
  const code = '@compute @workgroup_size(1)\nfn main() {\n  let x: f32 = 1u;\n}';
  await expect(compileShader(open, code, running)).rejects.toMatchObject({
    code: 'bad-shader',
    exitCode: EXIT.inconclusive,
    message: expect.stringMatching(/strassen, combine 3, line 3, column 7: .*\n {2}let x: f32 = 1u;$/),
  });
});

test('a binding that the shader does not have is told without the implementation’s own stack', async () => {
  const code = `@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@compute @workgroup_size(1) fn main() { a[0] = 1; }`;
  const module = await compileShader(open, code, running);
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const bind = (): GPUBindGroup =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 3, resource: { buffer: device.createBuffer({ size: 16, usage: storage }) } }],
    });
  const refusal = withScopes(open, running, bind);
  await expect(refusal).rejects.toMatchObject({ code: 'gpu-error', cause: expect.anything() });
  await expect(refusal).rejects.toThrow(/in strassen, combine 3: .*binding index 3/);
  await expect(refusal).rejects.not.toThrow(/While/);
});

test('a pipeline that is refused is told', async () => {
  const module = await compileShader(open, '@compute @workgroup_size(4096) fn main() {}', running);
  const compile = () => device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  await expect(withScopes(open, running, compile)).rejects.toThrow(
    /combine 3: .*workgroup_size\(4096, 1, 1\)/,
  );
});

test('a buffer above the limits, and memory running out', async () => {
  const allocate = (size: number) =>
    withScopes(open, running, () => device.createBuffer({ size, usage: storage }));
  await expect(allocate(2 ** 45)).rejects.toThrow(/35184372088832/);
  const buffers: GPUBuffer[] = [];
  const allocateAll = async (): Promise<void> => {
    while (buffers.length < 4096) buffers.push(await allocate(open.limits.maxBufferSize));
  };
  await expect(allocateAll()).rejects.toMatchObject({ code: 'out-of-gpu-memory' });
  for (const buffer of buffers) buffer.destroy();
});

test('a buffer that cannot be mapped', async () => {
  const buffer = device.createBuffer({ size: 16, usage: storage });
  await expect(readMapped(open, buffer, running)).rejects.toThrow(/do not contain BufferUsage::MapRead/);
});

test('what the work throws itself passes through, and the scopes are left', async () => {
  const failure = new TypeError('mine');
  const fail = (): never => {
    throw failure;
  };
  await expect(withScopes(open, running, fail)).rejects.toBe(failure);
  await expect(withScopes(open, running, () => 7)).resolves.toBe(7);
});

test('a device lost half-way is told, and so is work given to it afterwards', async () => {
  const doomed = await openNodeDevice({ adapter: 'software' });
  const buffer = doomed.device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ });
  const reading = readMapped(doomed, buffer, running);
  doomed.device.destroy();
  const lost = { code: 'device-lost', message: expect.stringContaining('in strassen, combine 3: ') };
  await expect(reading).rejects.toMatchObject(lost);
  await expect(withScopes(doomed, running, () => 7)).rejects.toMatchObject(lost);
});
