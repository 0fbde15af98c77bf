import type { Arithmetic } from '../precision/arithmetic.ts';
import type { ProbeAnswer } from './probe/answer.ts';
import type { Tuning } from './tuning/tuning.ts';
import type { GpuDevice, GpuLimits } from './web-gpu.ts';

export type { Arithmetic };

/** What a run ran on, stamped into every results file. */
export interface Fingerprint {
  /** A short stable slug of the fields below that decide results: the file name of baselines. */
  readonly id: string;
  readonly kind: 'hardware' | 'software';
  /** What a person calls it: "SwiftShader Device (LLVM 16.0.0)", "NVIDIA H200". */
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly driver: string;
  readonly backend: string;
  /** The implementation of WebGPU, of Dawn or not: "webgpu 0.6.2", "firefox 153 (wgpu)". */
  readonly dawn: string;
  readonly features: readonly string[];
  readonly toggles: readonly string[];
}

/** What products are computed on: a GPU device, or the processor that kernels of others use. */
export interface Machine {
  readonly fingerprint: Fingerprint;
  readonly arithmetic: Arithmetic;
  /** Why this one and no other, for a person. */
  readonly chosenBecause: string;
  /** Releases it. The GPU object behind a device stays alive: collecting it aborts the process. */
  close(): void;
}

/** An open device, with what is known about it. */
export interface OpenDevice extends Machine {
  readonly device: GpuDevice;
  readonly limits: GpuLimits;
  /** Invocations of every subgroup, where all have the same number and shaders may use them. */
  readonly subgroup?: number | undefined;
  /** Which leaf kernels are fast on it, where that is known. */
  readonly tuning?: Tuning | undefined;
  /** Why a tuning that was measured before is not used, if so: a sentence. */
  readonly tuningNote?: string | undefined;
  /** What it answered to the probe, where that was asked to tell it from others. */
  readonly probe?: readonly ProbeAnswer[] | undefined;
  /** Why the device was lost, once it is; undefined while it lives. */
  lostReason(): string | undefined;
}

/** True if a machine is a device of WebGPU. */
export const isDevice = (machine: Machine): machine is OpenDevice => 'device' in machine;
