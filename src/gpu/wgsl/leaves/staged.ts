import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { each } from '../each.ts';
import { type StagedTiling, tileOf, tripOf } from '../tiling.ts';
import { declareBuffer, finishFunction, finishTogether } from './epilogue.ts';
import { storeLanes } from './lanes.ts';
import { divides, type Generator, leafHead } from './leaf.ts';
import { firstSum, needsOf, placesOfX, placesOfY, sumsOf } from './staged-block.ts';
import { type StagedEnds, stagedMain } from './staged-loop.ts';

/** What of a shape a shader's text depends on. */
interface Cut {
  /** Whether blocks divide m and n: else rows and columns beyond are read as the last that exist, and not stored. */
  readonly whole: boolean;
  /** Whether trips leave a rest of k. */
  readonly ragged: boolean;
  /** Whether k and n are multiples of 4: four entries of a row are read at a time. */
  readonly byFour: boolean;
  /** Whether four rows that are gathered all exist, or none: m is a multiple of 4. */
  readonly fourRows: boolean;
}

/** Register-blocked, with the operands of a block staged in workgroup memory: see {@link stagedMain}. */
export const staged: Generator<StagedTiling> = {
  what(tiling) {
    const { rows, cols, depth } = tiling;
    const { m, n } = tileOf(tiling);
    return `${rows}×${cols} entries an invocation, ${m}×${n} a workgroup, ${depth} steps in workgroup memory`;
  },
  needs: needsOf,
  lanes: true,
  variant: (tiling, shape) => variantName(cutOf(tiling, shape)),
  shader(tiling, step, numeric) {
    const cut = cutOf(tiling, step.shape);
    const width = cut.byFour ? 4 : 1;
    const x = declareBuffer(1, 'x', numeric, tiling.stage === 'columns' ? 1 : width);
    const finish = () => `${cut.ragged ? loads(tiling, cut, numeric) : ''}
${cut.whole && cut.byFour ? '' : `${finishFunction(step, numeric, width)}\n${storeLanes(cut.byFour, cut.whole, numeric)}`}`;
    return `${leafHead(step, numeric, { width, x, finish })}
${stagedMain({ ...tiling, numeric, ragged: cut.ragged }, ends(tiling, cut, step, numeric))}`;
  },
};

function cutOf(tiling: StagedTiling, shape: Shape): Cut {
  const { m, k, n } = shape;
  return {
    whole: divides(tileOf(tiling), shape),
    ragged: k % tripOf(tiling) !== 0,
    byFour: n % 4 === 0 && k % 4 === 0,
    fourRows: tiling.stage !== 'columns' || m % 4 === 0,
  };
}

const variantName = ({ whole, ragged, byFour, fourRows }: Cut): string =>
  [
    whole ? 'whole' : 'guarded',
    ...(ragged ? ['ragged'] : []),
    ...(byFour ? [] : ['entries']),
    ...(fourRows ? [] : ['rows']),
  ].join(' ');

/** `loadX` and `loadY`: four operands from global memory, of entries that the product has. */
function loads({ stage }: StagedTiling, { byFour }: Cut, numeric: Numeric): string {
  const four = (entry: (c: number) => string) =>
    numeric.prepare(`${numeric.memory(4)}(${[0, 1, 2, 3].map(entry).join(', ')})`, 4);
  const head = (name: string) => `fn load${name}(i: u32, j: u32) -> ${numeric.operand(4)}`;
  const row = (r: number) => `min(i + ${r}u, params.m - 1u) * params.k`;
  const fromX = () => {
    if (stage === 'columns') return four((r) => `x[${row(r)} + min(j, params.k - 1u)]`);
    if (byFour) return numeric.prepare(`x[(${row(0)} + min(j, params.k - 4u)) / 4u]`, 4);
    return four((c) => `x[${row(0)} + min(j + ${c}u, params.k - 1u)]`);
  };
  const step = 'min(i, params.k - 1u) * params.n';
  const fromY = byFour
    ? numeric.prepare(`y[(${step} + min(j, params.n - 4u)) / 4u]`, 4)
    : four((c) => `y[${step} + min(j + ${c}u, params.n - 1u)]`);
  return `${head('X')} {\n  return ${fromX()};\n}\n${head('Y')} {\n  return ${fromY};\n}`;
}

/** Operands from two matrices stored row by row; sums to the step's slots. Indices are computed once: only the step is added to them. */
function ends(
  shape: StagedTiling,
  { whole, byFour, fourRows }: Cut,
  step: MultiplyStep,
  numeric: Numeric,
): StagedEnds {
  const { stage } = shape;
  const [ofX, ofY] = [placesOfX(shape), placesOfY(shape)];
  const four = [0, 1, 2, 3];
  const vectorsOfX = stage !== 'columns' && byFour;
  const startX = (t: number) => {
    const { row, step } = ofX[t];
    const last = stage === 'columns' && fourRows ? 'params.m - 4u' : 'params.m - 1u';
    const within = (r: string) => (whole ? `(top + ${row}${r})` : `min(top + ${row}${r}, ${last})`);
    if (fourRows) return `  let ax${t} = (${within('')} * params.k + ${step})${vectorsOfX ? ' / 4u' : ''};`;
    return each(4, (r) => `  let ax${t}_${r} = ${within(` + ${r}u`)} * params.k + ${step};`);
  };
  const startY = (t: number) => {
    const { step, col } = ofY[t];
    if (byFour) {
      const within = whole ? `left + ${col}` : `min(left + ${col}, params.n - 4u)`;
      return `  let ay${t} = ((${step}) * params.n + ${within}) / 4u;`;
    }
    const within = (c: number) =>
      whole ? `left + ${col} + ${c}u` : `min(left + ${col} + ${c}u, params.n - 1u)`;
    return each(4, (c) => `  let ay${t}_${c} = (${step}) * params.n + ${within(c)};`);
  };
  const gathered = (entry: (c: number) => string) =>
    numeric.prepare(`${numeric.memory(4)}(${four.map(entry).join(', ')})`, 4);
  return {
    starts: `${each(ofX.length, startX)}\n${each(ofY.length, startY)}`,
    x: {
      bring(t, p) {
        if (!fourRows) return gathered((r) => `x[ax${t}_${r} + ${p}]`);
        if (stage === 'columns') return gathered((r) => `x[ax${t} + (${p} + ${r}u * params.k)]`);
        if (vectorsOfX) return numeric.prepare(`x[ax${t} + ${p} / 4u]`, 4);
        return gathered((c) => `x[ax${t} + ${p} + ${c}u]`);
      },
      tail: (t, p) => `loadX(top + ${ofX[t].row}, ${p} + ${ofX[t].step})`,
    },
    y: {
      bring: (t, p) =>
        byFour
          ? numeric.prepare(`y[ay${t} + ${p} * (params.n / 4u)]`, 4)
          : gathered((c) => `y[ay${t}_${c} + ${p} * params.n]`),
      tail: (t, p) => `loadY(${p} + ${ofY[t].step}, left + ${ofY[t].col})`,
    },
    finish: whole && byFour ? finishedTogether(shape, step, numeric) : storedOne(shape),
  };
}

/** Sums to the step's slots, as many at once as there are registers for. */
function finishedTogether(shape: StagedTiling, step: MultiplyStep, numeric: Numeric): string {
  const { row, col } = firstSum(shape);
  const products = sumsOf(shape).map(({ register, rowsBelow, colsRight }) => ({
    product: register,
    index: `first + ${rowsBelow}u * inRow + ${colsRight / 4}u`,
  }));
  return `  let inRow = params.n / 4u;
  let first = ${row} * inRow + ${col} / 4u;
${finishTogether(step, numeric, 4, products)}`;
}

/** Sums to the step's slots, one vec4 after the other, if C has their entries. */
function storedOne(shape: StagedTiling): string {
  const { row, col } = firstSum(shape);
  return sumsOf(shape)
    .map(
      ({ register, rowsBelow, colsRight }) =>
        `  store(${row} + ${rowsBelow}u, ${col} + ${colsRight}u, ${register});`,
    )
    .join('\n');
}
