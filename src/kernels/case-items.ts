import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import type { Registry } from '../base/registry.ts';
import type { InputFamily } from '../inputs/input.ts';
import { inputRegistry } from '../inputs/inputs.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';

/** Registries of the names in cases and claims. */
export interface CaseItems {
  readonly algorithms: Registry<Algorithm>;
  readonly precisions: Registry<Precision>;
  readonly inputs: Registry<InputFamily>;
}

export const builtinCaseItems: CaseItems = {
  algorithms: algorithmRegistry,
  precisions,
  inputs: inputRegistry,
};
