import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';

/** Returns the WGSL `times(P, factor)`: a product that is rounded on its own, and that compilers cannot contract. */
export function scaleFunction(numeric: Numeric, width: Width): string {
  const value = numeric.value(width);
  const given = numeric.words === 2 ? 'factor' : 'factor.x';
  const factor = numeric.splat(numeric.prepare(`bitcast<${numeric.memory(1)}>(${given})`, 1), width);
  const product = numeric.multiplyAdd(
    numeric.prepare(numeric.store('P', width), width),
    factor,
    opaqueZero(numeric, width),
    width,
  );
  return `fn times(P: ${value}, factor: vec2<u32>) -> ${value} {
  return ${product};
}`;
}

/** Returns the words of a factor as `times` reads them. The second is 0 for one-word precisions. */
export function scaleFactorWords(x: number, { words, encode = (x) => x }: Numeric): [number, number] {
  const [low, high = 0] = new Uint32Array((words === 2 ? Float64Array : Float32Array).of(encode(x)).buffer);
  return [low, high];
}

/**
 * Returns WGSL of the value +0, which no compiler knows to be 0. A compiler could replace x·y + 0 by the product, whose zeros may have
 * another sign, and contract it with a following addition.
 */
export function opaqueZero(numeric: Numeric, width: Width): string {
  const words = numeric.words === 2 ? 'vec2<u32>' : width === 1 ? 'u32' : 'vec4<u32>';
  return numeric.load(`bitcast<${numeric.memory(width)}>(${words}(params.zero))`, width);
}
