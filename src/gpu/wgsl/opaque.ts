import type { Numeric, Width } from '../../precision/wgsl/numeric.ts';

/**
 * The value +0, which no compiler knows to be 0: x·y + 0 is then no product, whose zeros may have another sign, and which may be
 * joined with an addition that follows.
 */
export function opaqueZero(numeric: Numeric, width: Width): string {
  const words = numeric.words === 2 ? 'vec2<u32>' : width === 1 ? 'u32' : 'vec4<u32>';
  return numeric.load(`bitcast<${numeric.memory(width)}>(${words}(params.zero))`, width);
}
