import type { Real } from '../matrix/dense.ts';
import { addressOf } from '../plan/layout.ts';
import {
  type BufferName,
  type MultiplyStep,
  type Operand,
  type Plan,
  PRODUCT,
  type Step,
  type Term,
} from '../plan/plan.ts';

/** The buffers of a plan on the CPU, one number per entry, and the product of the current multiply step. */
export class Memory<T extends Real> {
  readonly buffers: Record<BufferName, T>;
  private readonly create: (length: number) => T;
  private scratch: T;

  /** Allocates all buffers of the plan; `fill` is what C and the workspace hold before they are written. */
  constructor(plan: Plan, create: (length: number) => T, fill = 0) {
    this.create = create;
    this.scratch = create(0);
    const make = (name: BufferName) => create(plan.sizes[name]);
    this.buffers = { A: make('A'), B: make('B'), C: make('C'), W: make('W') };
    this.buffers.C.fill(fill);
    this.buffers.W.fill(fill);
  }

  /** The entries of an operand: a view of its range, or a row-major copy of its window. */
  values(operand: Operand): T {
    const { block, window } = operand;
    const range = this.range(operand);
    if (window === undefined) return range;
    const copy = this.create(window.rows * window.cols);
    for (let i = 0; i < window.rows; i++) {
      for (let j = 0; j < window.cols; j++) {
        copy[i * window.cols + j] = range[addressOf(block.layout, window.row + i, window.col + j)];
      }
    }
    return copy;
  }

  /** Writes back what {@link values} gave out, where that was a copy. */
  commit(operand: Operand, values: T): void {
    const { block, window } = operand;
    if (window === undefined) return;
    const range = this.range(operand);
    for (let i = 0; i < window.rows; i++) {
      for (let j = 0; j < window.cols; j++) {
        range[addressOf(block.layout, window.row + i, window.col + j)] = values[i * window.cols + j];
      }
    }
  }

  /** Room for the m×n product of a step; the same room for every step. */
  product({ shape }: MultiplyStep): T {
    const entries = shape.m * shape.n;
    if (this.scratch.length < entries) this.scratch = this.create(entries);
    return this.scratch.subarray(0, entries) as T;
  }

  /** The entries a term of an update stands for. */
  term(step: Step, { slot }: Term): T {
    return slot === PRODUCT ? this.product(step as MultiplyStep) : this.values(step.slots[slot]);
  }

  private range({ block }: Operand): T {
    const { buffer, offset, layout } = block;
    return this.buffers[buffer].subarray(offset, offset + layout.size) as T;
  }
}

/** How many entries an update of this step covers. */
export function entriesOf(step: Step): number {
  return step.kind === 'multiply' ? step.shape.m * step.shape.n : step.slots[0].block.layout.size;
}
