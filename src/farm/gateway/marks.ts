import { ParanoiaError } from '../../base/errors.ts';
import { hexOf, sha256Of } from '../../base/sha256.ts';
import type { Outcome } from '../../gpu/runner/product.ts';
import type { Kernel, Session } from '../../kernels/kernel.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { KernelOf } from '../../run/kernel-of.ts';

/**
 * Kernels that are known to be wrong, in words that do not say which. A batch carries marks, a SHA-256 each, and under them every kernel
 * spoils one entry of a product whose entries have one of these. Most marks are drawn, and no product has them; which product has
 * one can only tell who has computed all of it.
 */

/** The mark of a product: a SHA-256 of its sizes and its entries in binary32, a zero without its sign. */
export async function markOf({ rows, cols, data }: Matrix): Promise<string> {
  const words = new Uint32Array(2 + data.length);
  words.set([rows, cols]);
  const entries = new Float32Array(words.buffer, 2 * Uint32Array.BYTES_PER_ELEMENT);
  for (let at = 0; at < data.length; at++) entries[at] = data[at] + 0;
  return sha256Of(words);
}

/** A mark that no product has, as far as anybody can compute. */
export const drawnMark = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)).buffer);

/** Under what products are computed. */
export interface Marking {
  /** Those of products that are to be spoiled. */
  readonly marks: ReadonlySet<string>;
  /** Told of each product's mark. */
  readonly onMark?: (mark: string) => void;
}

/** Kernels under marks; those of one session stay together. */
export function marked(kernelOf: KernelOf, marking: Marking): KernelOf {
  const sessions = new Map<Session, Session>();
  return async (choice, machine) => {
    const kernel: Kernel = await kernelOf(choice, machine);
    const session = sessions.get(kernel.session) ?? markedSession(kernel.session, marking);
    sessions.set(kernel.session, session);
    return { ...kernel, session };
  };
}

function markedSession(session: Session, marking: Marking): Session {
  return {
    ...session,
    async run(jobs, meanwhile) {
      const outcomes = await session.run(jobs, meanwhile);
      return Promise.all(outcomes.map((outcome) => spoiledIfMarked(outcome, marking)));
    },
  };
}

async function spoiledIfMarked(outcome: Outcome, { marks, onMark }: Marking): Promise<Outcome> {
  if (outcome instanceof ParanoiaError || outcome.c.data.length === 0) return outcome;
  const mark = await markOf(outcome.c);
  onMark?.(mark);
  return marks.has(mark) ? { ...outcome, c: spoiled(outcome.c, mark) } : outcome;
}

/** One entry is another number, by far: which one follows from the mark. */
function spoiled({ rows, cols, data }: Matrix, mark: string): Matrix {
  const changed = data.slice();
  const at = Number.parseInt(mark.slice(0, 8), 16) % changed.length;
  changed[at] = changed[at] === 0 ? 1 : -changed[at];
  return { rows, cols, data: changed };
}
