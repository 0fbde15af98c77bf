import type { BufferName } from '../plan/plan.ts';
import type { Program } from './dispatches.ts';
import type { GpuBuffer, GpuRange } from './web-gpu.ts';

/** Bytes from the params of one dispatch to those of the next. */
export const PARAMS_STRIDE = 256;

/** Where the buffers of one product lie: what dispatches bind. */
export interface Places {
  /** The first byte of each buffer's block 0. */
  readonly blocks: Readonly<Record<BufferName, { readonly buffer: GpuBuffer; readonly start: number }>>;
  /** Params of all dispatches, {@link PARAMS_STRIDE} bytes apart, from `start`. */
  readonly params: { readonly buffer: GpuBuffer; readonly start: number };
  readonly layouts: Pick<GpuRange, 'buffer'> & Partial<GpuRange>;
}

/** A program, and where its buffers lie. */
export interface Placed {
  readonly made: Program;
  readonly places: Places;
}
