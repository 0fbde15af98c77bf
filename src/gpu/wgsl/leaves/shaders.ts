import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import type { Tiling } from '../tiling.ts';
import { column } from './column.ts';
import { entriesShader } from './entries-shader.ts';
import { entry } from './entry.ts';
import type { Leaf } from './leaf.ts';
import type { LeafShader } from './leaf-shader.ts';
import type { LeafFamily } from './leaves.ts';
import { register } from './register.ts';
import { staged } from './staged.ts';
import { subgroup } from './subgroup.ts';
import { tiled } from './tiled.ts';

const shaders: { readonly [F in LeafFamily]: LeafShader<Tiling & { family: F }> } = {
  entry,
  tiled,
  register,
  staged,
  subgroup,
  column,
};

const shadersOf = ({ family }: Tiling): LeafShader<Tiling> =>
  shaders[family as LeafFamily] as LeafShader<Tiling>;

/**
 * Returns a key of the properties of a leaf's step, other than its updates, on which its shader depends. One pipeline serves all steps of a
 * variant.
 */
export const leafVariant = ({ tiling }: Leaf, shape: Shape): string =>
  shadersOf(tiling).variant(tiling, shape);

/** Returns the WGSL of a leaf's step, with entry point `main`, with bounds checks only in the dimensions that need them. */
export function leafShader({ tiling }: Leaf, step: MultiplyStep, numeric: Numeric): string {
  const { lanes, shader } = shadersOf(tiling);
  return lanes && !numeric.lanes ? entriesShader(tiling, step, numeric) : shader(tiling, step, numeric);
}
