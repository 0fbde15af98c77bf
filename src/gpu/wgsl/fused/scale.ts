import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';

/** `times(P, factor)`: rounded on its own, whatever a compiler would like to join it with. */
export function scaleFunction(numeric: Numeric, width: Width): string {
  const [value, memory] = [numeric.value(width), numeric.memory(width)];
  const words = width === 1 ? 'u32' : 'vec4<u32>';
  const factor = numeric.splat(numeric.prepare(`bitcast<${numeric.memory(1)}>(factor.x)`, 1), width);
  const product = numeric.multiplyAdd(
    numeric.prepare(numeric.store('P', width), width),
    factor,
    numeric.zero(width),
    width,
  );
  const opaque = `bitcast<${memory}>(bitcast<${words}>(${numeric.store('product', width)}) ^ ${words}(params.zero))`;
  return `fn times(P: ${value}, factor: vec2<u32>) -> ${value} {
  let product = ${product};
  return ${numeric.load(opaque, width)};
}`;
}
