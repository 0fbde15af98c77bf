import type { Needed } from '../queue/pipelines.ts';
import type { Dispatch } from '../wgsl/dispatch.ts';

/** What a dispatch needs compiled; a texture does not move. */
export const neededBy = ({ shader, label, texture, layouts, blocks }: Dispatch): Needed => ({
  shader,
  label,
  bindings: texture === undefined ? `${layouts ? 'ur' : 'u'}${'s'.repeat(blocks.length)}` : undefined,
});
