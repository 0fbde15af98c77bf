import type { BufferName, Plan } from '../plan/plan.ts';
import { GUARDS } from './guards.ts';
import type { Left } from './judge-left.ts';
import type { Numeric } from './numerics/numeric.ts';
import type { Places } from './places.ts';

/** Operands up to this many entries are read back to see that they are unchanged. */
export const READ_BACK = 2 ** 24;

const readsOperands = ({ sizes }: Plan): boolean => sizes.A + sizes.B <= READ_BACK;

/** The staging buffer holds C with its guards, the workspace's guards, then A and B where they are read back. */
export function stagedEntries(plan: Plan): number {
  return plan.sizes.C + 4 * GUARDS + (readsOperands(plan) ? plan.sizes.A + plan.sizes.B : 0);
}

/** Copies what is to be read back into the staging buffer. */
export function copyBack(
  device: GPUDevice,
  plan: Plan,
  { words }: Numeric,
  { blocks }: Places,
  staging: GPUBuffer,
): void {
  const encoder = device.createCommandEncoder();
  let at = 0;
  const copy = (name: BufferName, from: number, entries: number) => {
    const bytes = 4 * words;
    encoder.copyBufferToBuffer(blocks[name].buffer, bytes * from, staging, bytes * at, bytes * entries);
    at += entries;
  };
  copy('C', 0, plan.sizes.C + 2 * GUARDS);
  copy('W', 0, GUARDS);
  copy('W', GUARDS + plan.sizes.W, GUARDS);
  if (readsOperands(plan)) {
    copy('A', 0, plan.sizes.A);
    copy('B', 0, plan.sizes.B);
  }
  device.queue.submit([encoder.finish()]);
}

/** The parts of a staging buffer. */
export function staged(plan: Plan, { words: wide }: Numeric, words: Uint32Array<ArrayBuffer>): Left {
  const { A, B, C } = plan.sizes;
  const part = (from: number, entries: number) => words.subarray(wide * from, wide * (from + entries));
  const end = C + 4 * GUARDS;
  return {
    c: part(0, C + 2 * GUARDS),
    guards: [part(C + 2 * GUARDS, 2 * GUARDS)],
    operands: readsOperands(plan) ? { a: part(end, A), b: part(end + A, B) } : undefined,
  };
}
