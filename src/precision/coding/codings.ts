import { type Registry, registryOf } from '../../base/registry.ts';
import { ofFloat8 } from './of-float8.ts';
import { ofMicroscaling } from './of-microscaling.ts';
import { ofSuperblocks } from './of-superblocks.ts';
import { ofWeights } from './of-weights.ts';
import { ofWholeNumbers } from './of-whole-numbers.ts';
import type { OperandCodings } from './operand-codings.ts';

/** The codings of operands as elements of few bits and factors of blocks. */
export const codings: Registry<OperandCodings> = registryOf('coding', [
  ...ofFloat8,
  ...ofMicroscaling,
  ...ofWholeNumbers,
  ...ofWeights,
  ...ofSuperblocks,
]);
