/**
 * The types of WebGPU that this package's declarations name. Those who import it have them from `lib.dom` (TypeScript 6
 * and later), from `@webgpu/types`, or not at all, and where both are loaded, they collide: so none is referred to, and
 * whichever is there is taken. Where none is, they are `unknown`: add `@webgpu/types` to use a device.
 */
// biome-ignore lint/style/noRestrictedGlobals: of types alone
type Instance<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer T } }
  ? T
  : unknown;

export type Gpu = Instance<'GPU'>;
export type GpuAdapter = Instance<'GPUAdapter'>;
export type GpuBuffer = Instance<'GPUBuffer'>;
export type GpuComputePipeline = Instance<'GPUComputePipeline'>;
export type GpuDevice = Instance<'GPUDevice'>;
export type GpuQuerySet = Instance<'GPUQuerySet'>;
export type GpuShaderModule = Instance<'GPUShaderModule'>;
/** Limits that WebGPU names; a device may have more. */
export type GpuLimits = Instance<'GPUSupportedLimits'>;

/** A range of a buffer, in bytes: what a bind group takes. */
export interface GpuRange {
  readonly buffer: GpuBuffer;
  readonly offset: number;
  readonly size: number;
}
