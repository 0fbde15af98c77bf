import type { Shape } from '../../../matrix/dense.ts';
import type { Tiling } from '../tilings.ts';

/**
 * A kernel that multiplies leaf blocks: x (m×k) times y (k×n), row-major, followed by the step's updates. Every leaf sums each entry
 * sequentially over k from zero with the multiply-add of the precision (explicit fma in binary32), so that the bit-exact model has one
 * order to follow.
 */
export interface Leaf {
  readonly name: string;
  /** A description for listings. */
  readonly what: string;
  /** The rows, depth and columns that a workgroup multiplies at a time. With `tail: 'pad'` blocks are padded to multiples of it. */
  readonly tile: Shape;
  /** The resources needed beyond those of every WebGPU device: 256 invocations, 16 KiB of workgroup memory. */
  readonly needs?: LeafNeeds;
  /** The tiling that it is generated from. Fused products may take it too, if it stages operands in workgroup memory. */
  readonly tiling: Tiling;
  /** True if x is bound as a texture: its words in order, four a texel, row by row (rgba32uint). */
  readonly texture?: boolean;
  /** Returns the workgroups in x and y for `rows` rows of n columns. */
  workgroups(rows: number, n: number): readonly [number, number];
}

export interface LeafNeeds {
  readonly invocations: number;
  /** The most bytes of workgroup memory. */
  readonly bytes: number;
  /** The size that every subgroup must have, in invocations. */
  readonly subgroup?: number;
}

/** The limits of a device that a leaf kernel may exceed. */
export interface WorkgroupLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

/** The capabilities of a device that decide which leaf kernels run on it. */
export interface LeafCapabilities {
  readonly limits: WorkgroupLimits;
  /** The size of every subgroup, in invocations. Absent if sizes differ or shaders may not use subgroups. */
  readonly subgroup?: number | undefined;
}

/** Explains which resource a leaf kernel lacks on a device, as a clause after "it"; undefined if the kernel runs. */
export function whyExceeded({ needs }: Leaf, { limits, subgroup }: LeafCapabilities): string | undefined {
  if (needs === undefined) return undefined;
  const { maxComputeInvocationsPerWorkgroup: invocations, maxComputeWorkgroupStorageSize: bytes } = limits;
  if (needs.invocations > invocations)
    return `needs workgroups of ${needs.invocations} invocations, and the device allows ${invocations}`;
  if (needs.bytes > bytes)
    return `needs ${needs.bytes} bytes of workgroup memory, and the device has ${bytes}`;
  if (needs.subgroup !== undefined && needs.subgroup !== subgroup) {
    const has = subgroup === undefined ? 'does not promise one size' : `has subgroups of ${subgroup}`;
    return `needs subgroups of ${needs.subgroup} invocations, and the device ${has}`;
  }
  return undefined;
}
