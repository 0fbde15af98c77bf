import type { Session } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';

/** A place in what a session has computed since it was new. */
export interface Moment {
  /** All of it, in order: also what came after. */
  readonly cases: readonly Case[];
  /** How many of them came before. */
  readonly at: number;
}

/** Cases of a session that are kept at least: a campaign may judge millions. */
const KEPT = 4096;

/** What sessions have computed since they were new: what a later product of theirs may depend on. */
export class History {
  private readonly seen = new WeakMap<Session, Case[]>();

  /** @returns the place before a case that is added. */
  add(session: Session, value: Case): Moment {
    const all = this.seen.get(session) ?? [];
    const cases = all.length < 2 * KEPT ? all : all.slice(-KEPT);
    this.seen.set(session, cases);
    return { cases, at: cases.push(value) - 1 };
  }

  /** Of a session that is new again; the moments before stay as they are. */
  forget(session: Session): void {
    this.seen.delete(session);
  }
}
