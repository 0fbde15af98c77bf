import type { KernelSession } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';

/** A position in the cases that a session has computed since it was new. */
export interface Moment {
  /** All cases in order, also later ones. */
  readonly cases: readonly Case[];
  /** Number of cases that came before. */
  readonly at: number;
}

/** Least number of kept cases of a session: a campaign may judge millions. */
const KEPT = 4096;

/** The cases that sessions have computed since they were new. A later product of a session may depend on them. */
export class History {
  private readonly seen = new WeakMap<KernelSession, Case[]>();

  /** Adds a case. @returns the position before it. */
  add(session: KernelSession, value: Case): Moment {
    const all = this.seen.get(session) ?? [];
    const cases = all.length < 2 * KEPT ? all : all.slice(-KEPT);
    this.seen.set(session, cases);
    return { cases, at: cases.push(value) - 1 };
  }

  /** Forgets a session that is new again. Earlier moments stay as they are. */
  forget(session: KernelSession): void {
    this.seen.delete(session);
  }
}
