import type { Certificate } from '../certificate.ts';
import type { Engine } from '../engine.ts';
import type { Operands } from '../operands.ts';

/** What a worker is asked: a share of the blocks of one product. All arrays are shared memory. */
export interface Task {
  readonly operands: Operands;
  readonly engine: Engine;
  /** Element 0 counts the blocks handed out, row by row: a worker takes the next by adding 1. */
  readonly handedOut: Int32Array;
  /** Rows and columns of a block. */
  readonly rows: number;
  readonly cols: number;
  /** The product and its remainders, m×n row-major, written in place. */
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** What it answers when no blocks are left: how those it took were decided. */
export interface Answer {
  readonly certificate: Certificate;
}
