import { afterAll, expect, test } from 'vitest';
import { readMapped, withScopes } from '../queue/errors.ts';
import { openNodeDevice } from './open.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const WORKGROUPS = 64;
const shader = `
@group(0) @binding(0) var<storage, read_write> found: array<u32>;
var<workgroup> memory: array<u32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) at: u32) {
  for (var e = at; e < 256u; e += 64u) {
    found[group.x * 256u + e] = memory[e];
    memory[e] = 0xffffffffu;
  }
}`;

test('workgroup memory is zero at first, in every workgroup', async () => {
  const { device } = open;
  const running = { kernel: 'memory', step: 'reading what nobody wrote' };
  const size = 4 * 256 * WORKGROUPS;
  const staging = await withScopes(open, running, () => {
    const module = device.createShaderModule({ code: shader });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const buffer = device.createBuffer({
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, new Uint32Array(size / 4).fill(1));
    const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = [{ binding: 0, resource: { buffer } }];
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(WORKGROUPS);
    pass.end();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    return staging;
  });
  const found = new Uint32Array(await readMapped(open, staging, running));
  expect(found.findIndex((word) => word !== 0)).toBe(-1);
});
