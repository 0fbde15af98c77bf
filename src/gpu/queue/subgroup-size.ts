/** What WebGPU's types do not all know yet. */
interface SubgroupInfo {
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
}

/** Invocations of every subgroup of a device; undefined where shaders may not use them, or sizes differ. */
export function subgroupSize(
  { features }: Pick<GPUDevice, 'features'>,
  { subgroupMinSize, subgroupMaxSize }: SubgroupInfo,
): number | undefined {
  if (!features.has('subgroups')) return undefined;
  return subgroupMinSize === subgroupMaxSize ? subgroupMaxSize : undefined;
}
