import type { ShaderRequest } from '../queue/pipelines.ts';
import type { Dispatch } from '../wgsl/dispatch.ts';

/** Returns the shader that a dispatch needs compiled. Shaders with a texture have no dynamic offsets. */
export const shaderRequestOf = ({ shader, label, texture, layouts, blocks }: Dispatch): ShaderRequest => ({
  shader,
  label,
  bindings: texture === undefined ? `${layouts ? 'ur' : 'u'}${'s'.repeat(blocks.length)}` : undefined,
});
