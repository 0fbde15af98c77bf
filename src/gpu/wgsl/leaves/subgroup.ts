import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { type SubgroupTiling, tileShapeOf } from '../tilings.ts';
import { cutOf, type LeafShader, lanesHead, lanesVariant, storeSums, type VectorFit } from './leaf-shader.ts';

/**
 * The subgroup leaf: register-blocked, for software adapters. There an invocation is a lane of a vector register, and loads are gathered
 * lane by lane, so no two lanes load the same entry. Lanes lie side by side in columns. Each loads four steps of its own rows, and shares
 * them with all other lanes. It shares by broadcasts or, with four lanes, by swaps. Swaps are single instructions on SwiftShader, and give
 * each lane the rows in an order of its own ({@link rowInLane}).
 * All loads of four steps come first, then row after row with all its products: gathering branches, and live registers are spilled to
 * memory meanwhile.
 */
export const subgroup: LeafShader<SubgroupTiling> = {
  lanes: true,
  variant: lanesVariant,
  shader(tiling, step, numeric) {
    const cut = cutOf(tiling, step.shape);
    return `enable subgroups;
${lanesHead(step, cut, numeric)}
${main({ tiling, numeric, ...cut })}`;
  },
};

/** The properties, besides the step, on which a shader's text depends. */
interface Form extends VectorFit {
  readonly tiling: SubgroupTiling;
  readonly numeric: Numeric;
}

function main(form: Form): string {
  const { tiling, whole, byFour, numeric } = form;
  const { rows, cols, across: subgroup, hands } = tiling;
  const [tile, vectors] = [tileShapeOf(tiling), cols / 4];
  const own = rows / subgroup;
  const column = (v: number) => `(left + ${4 * subgroup * v}u)`;
  const row = (g: number) => `top + ${g * subgroup}u + lane`;
  return `@compute @workgroup_size(${subgroup})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(subgroup_invocation_id) lane: u32) {
  let top = params.firstRow + group.y * ${tile.m}u;
  let left = group.x * ${tile.n}u + 4u * lane;
${repeatLines(own, (g) => `  let i${g} = ${whole ? row(g) : `min(${row(g)}, params.m - 1u)`};`)}
${repeatLines(rows, (r) => repeatLines(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
  let whole = params.k - params.k % 4u;
  for (var p = 0u; p < whole; p += 4u) {
${repeatLines(own, (g) => `    let x${g} = loadX(i${g}, p);`)}
${repeatLines(4, (q) => repeatLines(vectors, (v) => `    let y${q}_${v} = loadY(p + ${q}u, ${column(v)});`))}
${repeatLines(rows, (r) => rowOf(form, r, ['[0]', '[1]', '[2]', '[3]']))}
  }
${byFour ? '' : lastSteps(form, column)}
${storeSums(rows, vectors, 4 * subgroup, numeric, (r) => rowInLane(hands, r))}
}`;
}

/** Returns WGSL of lane r's value; with swaps, of the value of lane r XOR this lane. */
function handed(hands: SubgroupTiling['hands'], own: string, r: number): string {
  if (hands === 'broadcasts') return `subgroupBroadcast(${own}, ${r}u)`;
  return [own, `quadSwapX(${own})`, `quadSwapY(${own})`, `quadSwapDiagonal(${own})`][r];
}

/** Returns the row that a lane holds as its row r. */
const rowInLane = (hands: SubgroupTiling['hands'], r: string) => (hands === 'swaps' ? `((${r}) ^ lane)` : r);

/**
 * Returns WGSL of the products of a row.
 * @param steps for each step, the component of the lane's loaded values that is its operand.
 */
function rowOf({ tiling, numeric }: Form, r: number, steps: readonly string[]): string {
  const { cols, across: subgroup, hands } = tiling;
  const vectors = cols / 4;
  const products = steps.map((component, q) => {
    const operand = `      let e${q} = ${numeric.splat(`x${component}`, 4)};`;
    const fma = (v: number) => numeric.multiplyAdd(`e${q}`, `y${q}_${v}`, `c${r}_${v}`, 4);
    return `${operand}\n${repeatLines(vectors, (v) => `      c${r}_${v} = ${fma(v)};`)}`;
  });
  const x = handed(hands, `x${Math.floor(r / subgroup)}`, r % subgroup);
  return ['    {', `      let x = ${x};`, ...products, '    }'].join('\n');
}

/** Returns WGSL of the steps that remain if k is not a multiple of 4. */
function lastSteps(form: Form, column: (v: number) => string): string {
  const { tiling, numeric } = form;
  const { rows, cols, across: subgroup } = tiling;
  const vectors = cols / 4;
  return `  for (var p = whole; p < params.k; p++) {
${repeatLines(rows / subgroup, (g) => `    let x${g} = ${numeric.prepare(`x[i${g} * params.k + p]`, 1)};`)}
${repeatLines(vectors, (v) => `    let y0_${v} = loadY(p, ${column(v)});`)}
${repeatLines(rows, (r) => rowOf(form, r, ['']))}
  }`;
}
