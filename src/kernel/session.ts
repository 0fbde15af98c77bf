import type { Execution } from '../gpu/execution.ts';
import type { Timing } from '../gpu/time-program.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { OwnTimes } from './kernel.ts';
import type { Call } from './user-kernel.ts';

/** A user's kernel, ready to multiply. */
export interface Session {
  /**
   * @throws Problem kernel-threw, kernel-answer, kernel-hangs, kernel-died, peer-missing, or what the device reports:
   * after any of them the next product is tried as if nothing had happened.
   */
  multiply(a: Matrix, b: Matrix, call: Call): Promise<Execution>;
  /** The same product again and again, timed by the kernel itself; throws as `multiply` does. */
  time?(a: Matrix, b: Matrix, call: Call, timing: Timing): Promise<OwnTimes>;
  /**
   * Does what comes before the first product, so that a time limit need not count it; the first product does it
   * otherwise. What it throws, every product throws too.
   */
  start?(): Promise<void>;
  /** Versions that a report states, by name. */
  versions(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}
