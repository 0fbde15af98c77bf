import { isRecord } from '../base/objects.ts';
import type { Matrix } from './dense.ts';
import type { Entries } from './operands.ts';

/**
 * A step of an epilogue, with its parameters by name. Tensors are matrices: a row of as many entries as D has columns then, a column of m,
 * or all entries, those of a batch one below the other.
 */
export interface EpilogueCall {
  readonly step: string;
  readonly [parameter: string]: unknown;
}

const isTensor = (value: unknown): value is Matrix<Entries> =>
  isRecord(value) && ArrayBuffer.isView(value.data);

/** Returns a step with its tensors changed. */
export const mapTensors = (
  { step, ...parameters }: EpilogueCall,
  change: (tensor: Matrix<Entries>) => unknown,
): EpilogueCall => ({
  step,
  ...Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [key, isTensor(value) ? change(value) : value]),
  ),
});

/** Returns the numbers of all tensors of an epilogue, in their order. */
export const tensorsOf = (epilogue: readonly EpilogueCall[] = []): readonly Entries[] =>
  epilogue.flatMap((step) => Object.values(step).flatMap((value) => (isTensor(value) ? [value.data] : [])));
