import type { OpenDevice } from '../device.ts';

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

/** The shapes that a device multiplies, as it lists them; none where the subgroups' size is left open. */
export function matrixConfigs({
  device,
}: Pick<OpenDevice, 'device'>): Required<MatrixInfo>['subgroupMatrixConfigs'] {
  const info = device.adapterInfo as MatrixInfo;
  if (!device.features.has('chromium-experimental-subgroup-matrix')) return [];
  return info.subgroupMinSize === info.subgroupMaxSize ? (info.subgroupMatrixConfigs ?? []) : [];
}

/**
 * The shape that a device multiplies matrices of a type in: of those whose sides divide 16, 16 and 64, the largest; undefined where it
 * has none. Which shape is chosen does not change integer results.
 */
export function findUnit(
  open: Pick<OpenDevice, 'device'>,
  component: 'f16' | 'i8',
  result: 'f32' | 'i32',
): MatrixUnit | undefined {
  const { subgroupMaxSize: subgroup = 0 } = open.device.adapterInfo as MatrixInfo;
  const size = ({ M, N, K }: { M: number; N: number; K: number }) => M * N * K;
  const [first] = [...matrixConfigs(open)]
    .filter(
      ({ componentType, resultComponentType }) =>
        componentType === component && resultComponentType === result,
    )
    .filter(({ M, N, K }) => 16 % M === 0 && 16 % N === 0 && 64 % K === 0)
    .sort((x, y) => size(y) - size(x));
  return first && { component, result, M: first.M, N: first.N, K: first.K, subgroup };
}
