import type { Kernel } from '../kernel/kernel.ts';
import { type Case, formatCase } from './case.ts';

/** One case in so many is multiplied twice: what it costs in time is a share of the time on the device alone. */
const EVERY = 4;

/**
 * Whether a case is multiplied twice: one in four is, chosen by its text, so that it is the same ones in every run and
 * in a replay. A planted fault makes no difference, and kernels that do not claim to be deterministic are not asked.
 */
export function isRepeated({ fault: _, ...value }: Case, { claims }: Pick<Kernel, 'claims'>): boolean {
  return claims?.deterministic !== false && hash(formatCase(value)) % EVERY === 0;
}

/** FNV-1a (Fowler, Noll, Vo), 32 bits, its well-mixed upper half. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 16;
}
