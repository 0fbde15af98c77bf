import type { GpuDevice } from './web-gpu.ts';

/** A shape of subgroup matrices that a device multiplies: M×K by K×N. */
export interface SubgroupMatrixShape {
  readonly component: 'f16' | 'i8';
  readonly result: 'f32' | 'i32';
  readonly M: number;
  readonly N: number;
  readonly K: number;
  readonly subgroup: number;
}

/** Directives for shaders that multiply subgroup matrices, in Dawn's name of the feature. */
export const matrixEnables = `enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
`;

/** Adapter information that WebGPU's types lack so far. */
interface MatrixInfo {
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
  readonly subgroupMatrixConfigs?: Iterable<{
    readonly componentType: string;
    readonly resultComponentType: string;
    readonly M: number;
    readonly N: number;
    readonly K: number;
  }>;
}

type Config = NonNullable<MatrixInfo['subgroupMatrixConfigs']> extends Iterable<infer C> ? C : never;

const adapters = new WeakMap<GPUDevice, MatrixInfo>();

/** Remembers the adapter's information: Dawn for Node lists the shapes there, and not with the device. */
export function rememberAdapter(device: GpuDevice, info: object): void {
  adapters.set(device, info);
}

const FEATURE = 'chromium-experimental-subgroup-matrix';

/** Returns the shapes that a device multiplies, as listed by the device or its adapter. */
export function matrixConfigs(device: GpuDevice): readonly Config[] {
  if (!device.features.has(FEATURE)) return [];
  const own = [...((device.adapterInfo as MatrixInfo).subgroupMatrixConfigs ?? [])];
  return own.length > 0 ? own : [...(adapters.get(device)?.subgroupMatrixConfigs ?? [])];
}

/** Explains why a device has no matrix unit, as a clause. */
export function whyNoUnit(device: GpuDevice): string {
  if (!device.features.has(FEATURE)) return `it does not offer ${FEATURE}`;
  const listed = matrixConfigs(device).map(
    ({ componentType, resultComponentType, M, N, K }) =>
      `${componentType} to ${resultComponentType} ${M}×${N}×${K}`,
  );
  const { subgroupMinSize, subgroupMaxSize } = device.adapterInfo as MatrixInfo;
  return `it lists ${listed.length === 0 ? 'none' : listed.join(', ')} for subgroups of ${subgroupMinSize} to ${subgroupMaxSize}`;
}

/**
 * Finds the shape in which a device multiplies matrices of a type: the largest of those whose sides divide 16 and whose depth divides 32.
 * Undefined if it has none, or its subgroup size varies.
 */
export function findUnit(
  device: GpuDevice,
  component: 'f16' | 'i8',
  result: 'f32' | 'i32',
): SubgroupMatrixShape | undefined {
  const { subgroupMinSize, subgroupMaxSize: subgroup = 0 } = device.adapterInfo as MatrixInfo;
  if (subgroupMinSize !== subgroup) return undefined;
  const size = ({ M, N, K }: Config) => M * N * K;
  const [first] = matrixConfigs(device)
    .filter(
      ({ componentType, resultComponentType }) =>
        componentType === component && resultComponentType === result,
    )
    .filter(({ M, N, K }) => 16 % M === 0 && 16 % N === 0 && 32 % K === 0)
    .sort((x, y) => size(y) - size(x));
  return first && { component, result, M: first.M, N: first.N, K: first.K, subgroup };
}
