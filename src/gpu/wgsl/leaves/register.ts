import { repeatLines } from '../each.ts';
import type { PlainTiling } from '../tilings.ts';
import { cutOf, type LeafShader, lanesHead, lanesVariant, storeSums } from './leaf-shader.ts';

/**
 * The register-blocked leaf: each invocation keeps a block of C in vec4 registers and reads vec4s of the operands, four steps of k at a
 * time. If k or n is not a multiple of 4, it reads single entries instead. There are three variants, so that few pipelines serve all
 * shapes: whole blocks without checks, checked vec4s, checked entries.
 */
export const register: LeafShader<PlainTiling> = {
  lanes: true,
  variant: lanesVariant,
  shader(tiling, step, numeric) {
    const { rows, across, down } = tiling;
    const vectors = tiling.cols / 4;
    const cut = cutOf(tiling, step.shape);
    const { whole, byFour } = cut;
    const fma = (x: string, y: string, sum: string) => numeric.multiplyAdd(numeric.splat(x, 4), y, sum, 4);
    const column = (v: number) => `(left + ${4 * v}u)`;
    const sums = repeatLines(rows, (r) =>
      repeatLines(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`),
    );
    const rowIndex = repeatLines(
      rows,
      (r) => `  let i${r} = ${whole ? `top + ${r}u` : `min(top + ${r}u, params.m - 1u)`};`,
    );
    const updates = (component: string, q: number) =>
      repeatLines(vectors, (v) => {
        const load = `    let y${q}_${v} = loadY(p + ${q}u, ${column(v)});`;
        const fmas = repeatLines(
          rows,
          (r) => `    c${r}_${v} = ${fma(`x${r}.${component}`, `y${q}_${v}`, `c${r}_${v}`)};`,
        );
        return `${load}\n${fmas}`;
      });
    const tail = repeatLines(vectors, (v) => {
      const load = `    let y${v} = loadY(p, ${column(v)});`;
      const fmas = repeatLines(
        rows,
        (r) =>
          `    c${r}_${v} = ${fma(numeric.prepare(`x[i${r} * params.k + p]`, 1), `y${v}`, `c${r}_${v}`)};`,
      );
      return `${load}\n${fmas}`;
    });
    return `${lanesHead(step, cut, numeric)}
@compute @workgroup_size(${across}, ${down})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let top = params.firstRow + id.y * ${rows}u;
  let left = id.x * ${4 * vectors}u;
  if (top >= params.endRow || left >= params.n) { return; }
${rowIndex}
${sums}
  let whole = params.k - params.k % 4u;
  for (var p = 0u; p < whole; p += 4u) {
${repeatLines(rows, (r) => `    let x${r} = loadX(i${r}, p);`)}
${repeatLines(4, (q) => updates('xyzw'[q], q))}
  }
${byFour ? '' : `  for (var p = whole; p < params.k; p++) {\n${tail}\n  }`}
${storeSums(rows, vectors, 4, numeric)}
}`;
  },
};
