import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matrixSlices } from '../../gpu/exact/matrix-slices.ts';
import { createGpu } from '../../gpu/node/dawn.ts';
import { findUnit, matrixConfigs, rememberAdapter, whyNoUnit } from '../../gpu/subgroup-matrix-configs.ts';
import { encodeMatrixProduct, halfShader, matrixProductShader } from './product.ts';

const FEATURE = 'chromium-experimental-subgroup-matrix';
const h200 = [
  ['f16', 'f16', 16, 16, 16],
  ['f16', 'f32', 16, 8, 8],
  ['f16', 'f32', 16, 16, 16],
  ['i8', 'i32', 16, 16, 32],
  ['i8', 'i32', 16, 8, 32],
  ['u8', 'u32', 16, 16, 32],
] as const;
const configs = h200.map(([componentType, resultComponentType, M, N, K]) => ({
  ...{ componentType, resultComponentType, M, N, K },
}));

function deviceOf(info: object, features: readonly string[] = [FEATURE, 'shader-f16']): GPUDevice {
  return { features: new Set(features), adapterInfo: info } as unknown as GPUDevice;
}
const warps = { subgroupMinSize: 32, subgroupMaxSize: 32 };

describe('the shape that a device multiplies', () => {
  test('is the largest of its types', () => {
    const device = deviceOf({ ...warps, subgroupMatrixConfigs: configs });
    expect(findUnit(device, 'f16', 'f32')).toMatchObject({ M: 16, N: 16, K: 16, subgroup: 32 });
    expect(findUnit(device, 'i8', 'i32')).toMatchObject({ M: 16, N: 16, K: 32 });
  });

  test('may be listed with the adapter only', () => {
    const device = deviceOf({ ...warps, subgroupMatrixConfigs: [] });
    expect(findUnit(device, 'i8', 'i32')).toBeUndefined();
    rememberAdapter(device, { subgroupMatrixConfigs: configs });
    expect(matrixConfigs(device)).toHaveLength(6);
    expect(findUnit(device, 'i8', 'i32')).toMatchObject({ M: 16, N: 16, K: 32 });
  });

  test.each([
    ['no feature', deviceOf({ ...warps, subgroupMatrixConfigs: configs }, []), `does not offer ${FEATURE}`],
    [
      'subgroups of several sizes',
      deviceOf({ subgroupMinSize: 8, subgroupMaxSize: 32 }),
      'lists none for subgroups of 8 to 32',
    ],
    [
      'other types',
      deviceOf({ ...warps, subgroupMatrixConfigs: [{ ...configs[0], resultComponentType: 'f16' }] }),
      'lists f16 to f16 16×16×16',
    ],
  ])('is not there: %s', (_, device, why) => {
    expect(findUnit(device, 'f16', 'f32')).toBeUndefined();
    expect(whyNoUnit(device)).toContain(why);
  });
});

test('a device without matrix units is refused in a sentence', async () => {
  const call = { device: deviceOf(warps, []), m: 1, k: 1, n: 1 } as Parameters<typeof encodeMatrixProduct>[0];
  await expect(encodeMatrixProduct(call)).rejects.toMatchObject({
    code: 'no-matrix-units',
    message: `classical:subgroup needs subgroup matrices of f16 with f32 sums, which this adapter does not offer (it does not offer ${FEATURE}). On an adapter that has them, give --toggle allow_unsafe_apis, on NVIDIA also vulkan_enable_f16_on_nvidia.`,
  });
});

/** Dawn's null backend compiles shaders that no adapter here could run. */
describe('the WGSL is accepted', () => {
  let device: GPUDevice;
  beforeAll(async () => {
    const gpu = createGpu(['backend=null', 'enable-dawn-features=allow_unsafe_apis']) as GPU;
    const adapter = (await gpu.requestAdapter()) as GPUAdapter;
    device = await adapter.requestDevice({
      requiredFeatures: [FEATURE, 'subgroups', 'shader-f16'] as unknown as GPUFeatureName[],
    });
  });
  afterAll(() => device.destroy());

  const f16 = { component: 'f16', result: 'f32', M: 16, N: 16, K: 16, subgroup: 32 } as const;
  const i8 = { component: 'i8', result: 'i32', M: 16, N: 16, K: 32, subgroup: 32 } as const;
  test.each([
    ['halving', halfShader],
    ['f16, 16×16×16', matrixProductShader(f16)],
    ['f16, 8×8×8', matrixProductShader({ ...f16, M: 8, N: 8, K: 8 })],
    ['i8, 16×16×32', matrixSlices(i8).shader(2)],
    ['i8, 16×8×32, nine words', matrixSlices({ ...i8, N: 8 }).shader(9)],
  ])('%s', async (_, code) => {
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    expect(messages.map(({ message, lineNum }) => `${lineNum}: ${message}`)).toEqual([]);
  });

  test('and what is wrong is not', async () => {
    device.pushErrorScope('validation');
    const code = matrixProductShader(f16).replace('row_major>(&tileA', '>(&tileA');
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    expect(await device.popErrorScope()).not.toBeNull();
    expect(messages.length).toBeGreaterThan(0);
  });
});
