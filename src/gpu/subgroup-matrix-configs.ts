import type { GpuDevice } from './web-gpu.ts';

/** A shape of matrices that subgroups multiply: M×K by K×N. */
export interface MatrixUnit {
  readonly component: 'f16' | 'i8';
  readonly result: 'f32' | 'i32';
  readonly M: number;
  readonly N: number;
  readonly K: number;
  /** Invocations of a subgroup. */
  readonly subgroup: number;
}

/** Directives of shaders that multiply subgroup matrices, as Dawn names the feature. */
export const matrixEnables = `enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
`;

/** What WebGPU's types do not know yet. */
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

/** Keeps what the adapter says of itself: Dawn for Node lists the shapes there, and not with the device. */
export function rememberAdapter(device: GpuDevice, info: object): void {
  adapters.set(device, info);
}

const FEATURE = 'chromium-experimental-subgroup-matrix';

/** The shapes that a device multiplies, as it or its adapter lists them. */
export function matrixConfigs(device: GpuDevice): readonly Config[] {
  if (!device.features.has(FEATURE)) return [];
  const own = [...((device.adapterInfo as MatrixInfo).subgroupMatrixConfigs ?? [])];
  return own.length > 0 ? own : [...(adapters.get(device)?.subgroupMatrixConfigs ?? [])];
}

/** What a device lacks, as a clause. */
export function whyNoUnit(device: GpuDevice): string {
  if (!device.features.has(FEATURE)) return `it does not offer ${FEATURE}`;
  const listed = matrixConfigs(device).map(
    ({ componentType, resultComponentType, M, N, K }) =>
      `${componentType} to ${resultComponentType} ${M}×${N}×${K}`,
  );
  const { subgroupMinSize, subgroupMaxSize } = device.adapterInfo as MatrixInfo;
  return `it lists ${listed.length === 0 ? 'none' : listed.join(', ')}, for subgroups of ${subgroupMinSize} to ${subgroupMaxSize}`;
}

/**
 * The shape that a device multiplies matrices of a type in: of those whose sides divide 16 and whose depth divides 32, the
 * largest; undefined where it has none, or leaves the size of subgroups open.
 */
export function findUnit(
  device: GpuDevice,
  component: 'f16' | 'i8',
  result: 'f32' | 'i32',
): MatrixUnit | undefined {
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
