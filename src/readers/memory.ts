import type { RealArray } from '../matrix/dense.ts';
import { addressOf, type BlockLayout } from '../plan/layout.ts';
import {
  type BufferName,
  type MultiplyStep,
  type Plan,
  PRODUCT,
  type Slot,
  type SlotTerm,
  type Step,
  type StepOperand,
  type Window,
} from '../plan/plan.ts';

/** The buffers of a plan on the CPU, one number per entry, and the product of the current multiply step. */
export class PlanMemory<T extends RealArray> {
  readonly buffers: Record<BufferName, T>;
  private readonly create: (length: number) => T;
  private scratch: T;

  /** Allocates all buffers of the plan. `fill` is the initial value of C and the workspace. */
  constructor(plan: Plan, create: (length: number) => T, fill = 0) {
    this.create = create;
    this.scratch = create(0);
    const make = (name: BufferName) => create(plan.sizes[name]);
    this.buffers = { A: make('A'), B: make('B'), C: make('C'), W: make('W') };
    this.buffers.C.fill(fill);
    this.buffers.W.fill(fill);
  }

  /**
   * Returns the entries of an operand: a view of its range, or a row-major copy of its window.
   * @param rows rows of the copy: as many as the window has, or more where the edge cuts it off. Further rows are zeros.
   */
  values(operand: StepOperand, rows = operand.window?.rows, cols = operand.window?.cols): T {
    const { block, window } = operand;
    const range = this.range(operand);
    if (window === undefined || rows === undefined || cols === undefined) return range;
    const copy = this.create(rows * cols);
    eachRun(block.layout, window, (at, i, j, length) => {
      if (length === 1) copy[i * cols + j] = range[at];
      else copy.set(range.subarray(at, at + length), i * cols + j);
    });
    return copy;
  }

  /** Writes back the result of {@link values}, where that was a copy. */
  commit(operand: StepOperand, values: T, cols = operand.window?.cols): void {
    const { block, window } = operand;
    if (window === undefined || cols === undefined) return;
    const range = this.range(operand);
    eachRun(block.layout, window, (at, i, j, length) => {
      if (length === 1) range[at] = values[i * cols + j];
      else range.set(values.subarray(i * cols + j, i * cols + j + length), at);
    });
  }

  /** Returns the entries of a slot, one for each of the step's product. */
  slot(step: Step, slot: Slot): T {
    return step.kind === 'multiply'
      ? this.values(slot, slot.window && step.shape.m, slot.window && step.shape.n)
      : this.values(slot);
  }

  /** Writes back the result of {@link slot}. */
  commitSlot(step: Step, slot: Slot, values: T): void {
    this.commit(slot, values, step.kind === 'multiply' ? slot.window && step.shape.n : undefined);
  }

  /** Returns memory for the m×n product of a step. All steps share it. */
  product({ shape }: MultiplyStep): T {
    const entries = shape.m * shape.n;
    if (this.scratch.length < entries) this.scratch = this.create(entries);
    return this.scratch.subarray(0, entries) as T;
  }

  /** Returns the entries of a term of an update. */
  term(step: Step, { slot }: SlotTerm): T {
    return slot === PRODUCT ? this.product(step as MultiplyStep) : this.slot(step, step.slots[slot]);
  }

  private range({ block }: StepOperand): T {
    const { buffer, offset, layout } = block;
    return this.buffers[buffer].subarray(offset, offset + layout.size) as T;
  }
}

/** Returns the number of entries that an update of this step covers. */
export function countUpdatedEntries(step: Step): number {
  return step.kind === 'multiply' ? step.shape.m * step.shape.n : step.slots[0].block.layout.size;
}

/** Visits the runs of adjacent entries of a window: rows where a block is stored row by row. */
function eachRun(
  layout: BlockLayout,
  { row, col, rows, cols }: Window,
  visit: (at: number, i: number, j: number, length: number) => void,
): void {
  if (cols === 0) return;
  for (let i = 0; i < rows; i++) {
    if (layout.kind === 'leaf') visit(addressOf(layout, row + i, col), i, 0, cols);
    else for (let j = 0; j < cols; j++) visit(addressOf(layout, row + i, col + j), i, j, 1);
  }
}
