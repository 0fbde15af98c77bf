import type { Needed } from '../queue/pipelines.ts';
import type { Dispatch } from '../wgsl/dispatch.ts';

/** Returns the shader that a dispatch needs compiled. Shaders with a texture have no dynamic offsets. */
export const neededBy = ({ shader, label, texture, layouts, blocks }: Dispatch): Needed => ({
  shader,
  label,
  bindings: texture === undefined ? `${layouts ? 'ur' : 'u'}${'s'.repeat(blocks.length)}` : undefined,
});
