/**
 * The WebGPU types that this package's declarations name. Importers have them from `lib.dom` (TypeScript 6 and later), from
 * `@webgpu/types`, or not at all. Both together collide, so we refer to neither and take whichever is loaded. Without any they are
 * `unknown`: add `@webgpu/types` to use a device.
 */
// biome-ignore lint/style/noRestrictedGlobals: of types alone
type Instance<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer T } }
  ? T
  : unknown;

export type Gpu = Instance<'GPU'>;
export type GpuAdapter = Instance<'GPUAdapter'>;
export type GpuBindGroupLayout = Instance<'GPUBindGroupLayout'>;
export type GpuBuffer = Instance<'GPUBuffer'>;
export type GpuComputePipeline = Instance<'GPUComputePipeline'>;
export type GpuDevice = Instance<'GPUDevice'>;
export type GpuPipelineLayout = Instance<'GPUPipelineLayout'>;
export type GpuQuerySet = Instance<'GPUQuerySet'>;
export type GpuShaderModule = Instance<'GPUShaderModule'>;
/** The limits that WebGPU names; a device may have more. */
export type GpuLimits = Instance<'GPUSupportedLimits'>;

/** A range of a buffer in bytes, as a bind group takes it. */
export interface GpuRange {
  readonly buffer: GpuBuffer;
  readonly offset: number;
  readonly size: number;
}
