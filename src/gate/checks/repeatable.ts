import { describeRegion } from '../../accuracy/region.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Case, formatCase } from '../case.ts';
import { type Check, notApplicable } from './check.ts';

/** The same product, once more, has the same bits. */
export const repeatable: Check = {
  name: 'repeatable',
  asks: 'Where a case is multiplied twice, are the bits those of the first time?',
  decisive: false,
  judge({ execution, again, plan: { shape } }) {
    if (again === undefined) return notApplicable('This case is multiplied once.');
    const [first, second] = [execution.c.data, again.c.data];
    const other = Uint8Array.from(first, (value, e) => (Object.is(value, second[e]) ? 0 : 1));
    const at = other.indexOf(1);
    if (at < 0) return { status: 'pass', message: 'The same product again gave the same bits.' };
    const { count, text } = describeRegion(other, shape.m, shape.n);
    const place = `(${Math.floor(at / shape.n)}, ${at % shape.n})`;
    const message = `${count} of ${first.length} entries differ from run to run: the same product again gave other bits in ${text}; at ${place} first ${first[at]}, then ${second[at]}.`;
    return { status: 'fail', message };
  },
};

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
