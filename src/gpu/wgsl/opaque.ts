import type { Numeric, Width } from '../../precision/wgsl/numeric.ts';

/** A value that no compiler joins with what is done to it: a product that is rounded before it is added. */
export function opaque(value: string, numeric: Numeric, width: Width): string {
  const words = numeric.words === 2 ? 'vec2<u32>' : width === 1 ? 'u32' : 'vec4<u32>';
  const hidden = `bitcast<${words}>(${numeric.store(value, width)}) ^ ${words}(params.zero)`;
  return numeric.load(`bitcast<${numeric.memory(width)}>(${hidden})`, width);
}
