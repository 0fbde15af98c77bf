import type { Certificate } from '../certificate.ts';
import type { Operands } from '../operands.ts';

/** What a worker is asked: a share of the rows of one product. All arrays are shared memory. */
export interface Task {
  readonly operands: Operands;
  /** Element 0 counts the rows handed out: a worker takes the next {@link Task.rowsAtATime} by adding to it. */
  readonly handedOut: Int32Array;
  readonly rowsAtATime: number;
  /** The product and its remainders, m×n row-major, written in place. */
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** What it answers when no rows are left: how those it took were decided. */
export interface Answer {
  readonly certificate: Certificate;
}
