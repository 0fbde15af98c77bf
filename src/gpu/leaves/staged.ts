import type { Shape } from '../../matrix/dense.ts';
import type { MultiplyStep } from '../../plan/plan.ts';
import { each } from '../each.ts';
import type { Numeric } from '../numerics/numeric.ts';
import { block } from './block.ts';
import { declareBuffer, declareSlots, finishFunction, finishTogether } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';
import { firstSum, needsOf, placesOfX, placesOfY, type StagedBlock, sumsOf, tileOf } from './staged-block.ts';
import { type StagedEnds, stagedMain } from './staged-loop.ts';
import { storeLanes } from './store-lanes.ts';

/** What of a shape a shader's text depends on. */
interface Cut {
  /** Whether blocks divide m and n: else rows and columns beyond are read as the last that exist, and not stored. */
  readonly whole: boolean;
  /** Whether parts divide k. */
  readonly ragged: boolean;
  /** Whether k and n are multiples of 4: four entries of a row are read at a time. */
  readonly byFour: boolean;
  /** Whether four rows that are gathered all exist, or none: m is a multiple of 4. */
  readonly fourRows: boolean;
}

/** Register-blocked, with the operands of a block staged in workgroup memory: see {@link stagedMain}. */
export function staged(shape: StagedBlock, name: string): Leaf {
  const { rows, cols, across, down, depth } = shape;
  const tile = tileOf(shape);
  const cutOf = ({ m, k, n }: Shape): Cut => ({
    whole: m % tile.m === 0 && n % tile.n === 0,
    ragged: k % depth !== 0,
    byFour: n % 4 === 0 && k % 4 === 0,
    fourRows: shape.x !== 'columns' || m % 4 === 0,
  });
  const entries = block({ rows, cols, across, down }, name);
  return {
    name,
    what: `${rows}×${cols} entries an invocation, ${tile.m}×${tile.n} a workgroup, ${depth} steps in workgroup memory`,
    tile,
    block: shape,
    variant: (of) => variantName(cutOf(of)),
    needs: needsOf(shape),
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step, numeric) {
      if (!numeric.lanes) return entries.shader(step, numeric);
      const cut = cutOf(step.shape);
      const width = cut.byFour ? 4 : 1;
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, shape.x === 'columns' ? 1 : width)}
${declareBuffer(2, 'y', numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${cut.ragged ? loads(shape, cut, numeric) : ''}
${cut.whole && cut.byFour ? '' : `${finishFunction(step, numeric, width)}\n${storeLanes(cut.byFour, cut.whole, numeric)}`}
${stagedMain({ ...shape, numeric, ragged: cut.ragged }, ends(shape, cut, step, numeric))}`;
    },
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
function loads({ x }: StagedBlock, { byFour }: Cut, numeric: Numeric): string {
  const four = (entry: (c: number) => string) =>
    numeric.prepare(`${numeric.memory(4)}(${[0, 1, 2, 3].map(entry).join(', ')})`, 4);
  const head = (name: string) => `fn load${name}(i: u32, j: u32) -> ${numeric.operand(4)}`;
  const row = (r: number) => `min(i + ${r}u, params.m - 1u) * params.k`;
  const fromX = () => {
    if (x === 'columns') return four((r) => `x[${row(r)} + min(j, params.k - 1u)]`);
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
  shape: StagedBlock,
  { whole, byFour, fourRows }: Cut,
  step: MultiplyStep,
  numeric: Numeric,
): StagedEnds {
  const { x } = shape;
  const [ofX, ofY] = [placesOfX(shape), placesOfY(shape)];
  const four = [0, 1, 2, 3];
  const vectorsOfX = x !== 'columns' && byFour;
  const startX = (t: number) => {
    const { row, step } = ofX[t];
    const last = x === 'columns' && fourRows ? 'params.m - 4u' : 'params.m - 1u';
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
        if (x === 'columns') return gathered((r) => `x[ax${t} + (${p} + ${r}u * params.k)]`);
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
function finishedTogether(shape: StagedBlock, step: MultiplyStep, numeric: Numeric): string {
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
function storedOne(shape: StagedBlock): string {
  const { row, col } = firstSum(shape);
  return sumsOf(shape)
    .map(
      ({ register, rowsBelow, colsRight }) =>
        `  store(${row} + ${rowsBelow}u, ${col} + ${colsRight}u, ${register});`,
    )
    .join('\n');
}
