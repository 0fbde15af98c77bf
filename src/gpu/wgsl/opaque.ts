import type { Numeric, Width } from '../../precision/wgsl/numeric.ts';

/**
 * Returns WGSL of the value +0, which no compiler knows to be 0. A compiler could replace x·y + 0 by the product, whose zeros may have
 * another sign, and contract it with a following addition.
 */
export function opaqueZero(numeric: Numeric, width: Width): string {
  const words = numeric.words === 2 ? 'vec2<u32>' : width === 1 ? 'u32' : 'vec4<u32>';
  return numeric.load(`bitcast<${numeric.memory(width)}>(${words}(params.zero))`, width);
}
