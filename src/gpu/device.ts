import type { Arithmetic } from '../precision/arithmetic.ts';
import type { ProbeAnswer } from './probe/question.ts';
import type { Tuning } from './tuning/tuning.ts';
import type { GpuDevice, GpuLimits } from './web-gpu.ts';

export type { Arithmetic };

/** The device that a run used, recorded in every results file. */
export interface Fingerprint {
  /** A short stable slug of the fields below that decide results. Baselines are files of this name. */
  readonly id: string;
  readonly kind: 'hardware' | 'software';
  /** The device's readable name: "SwiftShader Device (LLVM 16.0.0)", "NVIDIA H200". */
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly driver: string;
  readonly backend: string;
  /** The implementation of WebGPU, which need not be Dawn: "webgpu 0.6.2", "firefox 153 (wgpu)". */
  readonly dawn: string;
  readonly features: readonly string[];
  readonly toggles: readonly string[];
}

/** The hardware that computes products: a GPU device, or the processor, for external kernels. */
export interface Machine {
  readonly fingerprint: Fingerprint;
  readonly arithmetic: Arithmetic;
  /** The reason for choosing this machine, for a person. */
  readonly chosenBecause: string;
  /** Releases the machine. The GPU object behind a device stays alive: collecting it aborts the process. */
  close(): void;
}

/** An open device, with the facts known about it. */
export interface OpenDevice extends Machine {
  readonly device: GpuDevice;
  readonly limits: GpuLimits;
  /** The size of every subgroup, in invocations. Absent if sizes differ or shaders may not use subgroups. */
  readonly subgroup?: number | undefined;
  /** The tuning that says which leaf kernels are fast on the device, if known. */
  readonly tuning?: Tuning | undefined;
  /** The reason why a stored tuning is not used, as a sentence. */
  readonly tuningNote?: string | undefined;
  /** The device's answers to the probe, if the probe was needed to identify the device. */
  readonly probe?: readonly ProbeAnswer[] | undefined;
  /** Returns the reason why the device was lost; undefined while it lives. */
  lostReason(): string | undefined;
}

export const isDevice = (machine: Machine): machine is OpenDevice => 'device' in machine;
