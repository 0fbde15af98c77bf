import type { Shape } from '../../../matrix/dense.ts';
import { type MultiplyStep, PRODUCT } from '../../../plan/plan.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { type StagedTiling, tileShapeOf, tripOf } from '../tilings.ts';
import { declareBuffer, finishFunction, finishTogether } from './epilogue.ts';
import { divides, type LeafShader, leafHead, storeLanes } from './leaf-shader.ts';
import { firstSum, listSums, placesOfX, placesOfY, registersOf } from './staged-block.ts';
import { type RunCode, type StagedEnds, stagedMain } from './staged-loop.ts';

/** The properties of a shape on which a shader's text depends. */
interface Cut {
  /** True if blocks divide m and n. Otherwise rows and columns beyond the edges read the last existing ones, and are not stored. */
  readonly whole: boolean;
  /** True if trips leave a remainder of k. */
  readonly ragged: boolean;
  /** True if k and n are multiples of 4: four entries of a row are read at a time. */
  readonly byFour: boolean;
  /** True if m is a multiple of 4: four rows that are gathered together all exist, or none does. */
  readonly fourRows: boolean;
}

/** The staged leaf: register-blocked, with the operands of a block staged in workgroup memory. See {@link stagedMain}. */
export const staged: LeafShader<StagedTiling> = {
  lanes: true,
  variant: (tiling, shape) => variantName(cutOf(tiling, shape)),
  shader(tiling, step, numeric) {
    const cut = cutOf(tiling, step.shape);
    const width = cut.byFour ? 4 : 1;
    const x = declareBuffer(1, 'x', numeric, tiling.stage === 'columns' ? 1 : width);
    const made = step.run === undefined ? ends : inRuns;
    const finish = () => `${cut.ragged ? loads(tiling, cut, numeric) : ''}
${cut.whole && cut.byFour ? '' : `${finishFunction(step, numeric, width)}\n${storeLanes(cut.byFour, cut.whole, numeric)}`}`;
    return `${leafHead(step, numeric, { width, x, finish })}
${stagedMain({ ...tiling, numeric, ragged: cut.ragged, run: step.run }, made(tiling, cut, step, numeric))}`;
  },
};

function cutOf(tiling: StagedTiling, shape: Shape): Cut {
  const { m, k, n } = shape;
  return {
    whole: divides(tileShapeOf(tiling), shape),
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

/** Returns the WGSL `loadX` and `loadY`: four operands from global memory, clamped to entries that the matrices have. */
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

/**
 * Returns the ends of a kernel with operands from two row-major matrices and sums stored in the step's slots. Indices are computed once;
 * only the step is added to them.
 */
function ends(
  shape: StagedTiling,
  { whole, byFour, fourRows }: Cut,
  step: MultiplyStep,
  numeric: Numeric,
): StagedEnds {
  const { stage, depth } = shape;
  const [ofX, ofY] = [placesOfX(shape), placesOfY(shape)];
  const four = [0, 1, 2, 3];
  const vectorsOfX = stage !== 'columns' && byFour;
  const moves = stage === 'turned' && byFour;
  const index = moves ? 'var' : 'let';
  const startX = (t: number) => {
    const { row, step } = ofX[t];
    const last = stage === 'columns' && fourRows ? 'params.m - 4u' : 'params.m - 1u';
    const within = (r: string) => (whole ? `(top + ${row}${r})` : `min(top + ${row}${r}, ${last})`);
    if (fourRows)
      return `  ${index} ax${t} = (${within('')} * params.k + ${step})${vectorsOfX ? ' / 4u' : ''};`;
    return repeatLines(4, (r) => `  let ax${t}_${r} = ${within(` + ${r}u`)} * params.k + ${step};`);
  };
  const startY = (t: number) => {
    const { step, col } = ofY[t];
    if (byFour) {
      const within = whole ? `left + ${col}` : `min(left + ${col}, params.n - 4u)`;
      return `  ${index} ay${t} = ((${step}) * params.n + ${within}) / 4u;`;
    }
    const within = (c: number) =>
      whole ? `left + ${col} + ${c}u` : `min(left + ${col} + ${c}u, params.n - 1u)`;
    return repeatLines(4, (c) => `  let ay${t}_${c} = (${step}) * params.n + ${within(c)};`);
  };
  const gathered = (entry: (c: number) => string) =>
    numeric.prepare(`${numeric.memory(4)}(${four.map(entry).join(', ')})`, 4);
  return {
    starts: `${repeatLines(ofX.length, startX)}\n${repeatLines(ofY.length, startY)}`,
    x: {
      bring(t, p) {
        if (!fourRows) return gathered((r) => `x[ax${t}_${r} + ${p}]`);
        if (stage === 'columns') return gathered((r) => `x[ax${t} + (${p} + ${r}u * params.k)]`);
        if (vectorsOfX) return numeric.prepare(`x[ax${t} + ${p} / 4u]`, 4);
        return gathered((c) => `x[ax${t} + ${p} + ${c}u]`);
      },
      ...(moves && { move: (t) => `ax${t} += ${depth / 4}u;` }),
      tail: (t, p) => `loadX(top + ${ofX[t].row}, ${p} + ${ofX[t].step})`,
    },
    y: {
      bring: (t, p) =>
        byFour
          ? numeric.prepare(`y[ay${t} + ${p} * (params.n / 4u)]`, 4)
          : gathered((c) => `y[ay${t}_${c} + ${p} * params.n]`),
      ...(moves && { move: (t) => `ay${t} += ${depth}u * (params.n / 4u);` }),
      tail: (t, p) => `loadY(${p} + ${ofY[t].step}, left + ${ofY[t].col})`,
    },
    finish: whole && byFour ? finishedTogether(shape, step, numeric) : storedOne(shape),
  };
}

/** Returns the same ends for a product that is summed in runs. */
function inRuns(shape: StagedTiling, cut: Cut, step: MultiplyStep, numeric: Numeric): StagedEnds {
  const { starts, finish, ...sources } = ends(shape, cut, step, numeric);
  if (cut.whole && cut.byFour && !cut.ragged && isStoredAlone(step)) {
    return { ...sources, starts, runs: { end: addedInPlace(shape, numeric), ofLast: true }, finish: '' };
  }
  const { declared, joined, ...runs } = addedInRegisters(shape, numeric);
  return { ...sources, starts: `${starts}\n${declared}`, runs, finish: `${joined}\n${finish}` };
}

/** True if a step only stores its product, without reading prior contents. */
function isStoredAlone({ slots, updates }: MultiplyStep): boolean {
  const [slot] = slots;
  const terms = updates.flatMap((update) => update.terms);
  return (
    slots.length === 1 &&
    !slot.load &&
    terms.length === 1 &&
    terms[0].slot === PRODUCT &&
    terms[0].factor === 1
  );
}

/**
 * Returns the end of a run if the product is stored as it is and no remainder is left. The run's sums are added in the block itself to
 * those of the runs before. The block's contents before the first run are read, but not used. With a branch instead an H100 had 34.5
 * Tflop/s at 8192, and 46.9 without.
 */
function addedInPlace(shape: StagedTiling, numeric: Numeric): string {
  const sums = sumsIn(shape);
  const groups = Array.from({ length: Math.ceil(sums.length / ADDED_AT_ONCE) }, (_, g) => {
    const group = sums.slice(g * ADDED_AT_ONCE, (g + 1) * ADDED_AT_ONCE);
    const lines = [
      ...group.map(({ index }, at) => `let e${at} = ${index};`),
      ...group.map((_, at) => `let before${at} = ${numeric.load(`s0[e${at}]`, 4)};`),
      ...group.map(({ product }, at) => {
        const sum = `select(${numeric.add(`before${at}`, product, 4)}, ${product}, first == 0u)`;
        return `s0[e${at}] = ${numeric.store(sum, 4)};`;
      }),
    ];
    return ['{', ...lines, '}'].map((line) => `    ${line}`).join('\n');
  });
  return [firstEntry(shape), ...groups].join('\n');
}

/** The vec4s that are read before they are added to: more would take registers that the loop needs. */
const ADDED_AT_ONCE = 8;

/** Returns the end of a run in registers, and the total sum. Other updates than a plain store need the product whole. */
function addedInRegisters(
  shape: StagedTiling,
  numeric: Numeric,
): RunCode & { readonly declared: string; readonly joined: string } {
  const sums = registersOf(shape);
  const added = (sum: string) => numeric.add(`before_${sum}`, sum, 4);
  const lines = (text: (sum: string) => string) => sums.map(text).join('\n');
  return {
    declared: lines((sum) => `  var before_${sum}: ${numeric.value(4)};`),
    end: lines((sum) => `      before_${sum} = select(${added(sum)}, ${sum}, first == 0u);`),
    ofLast: false,
    joined: lines((sum) => `  ${sum} = ${added(sum)};`),
  };
}

/** Returns WGSL that stores sums in the step's slots, as many at once as registers allow. */
function finishedTogether(shape: StagedTiling, step: MultiplyStep, numeric: Numeric): string {
  return `${firstEntry(shape)}\n${finishTogether(step, numeric, 4, sumsIn(shape))}`;
}

/** Returns WGSL of the index of an invocation's first sum in a slot, in vec4s. */
function firstEntry(shape: StagedTiling): string {
  const { row, col } = firstSum(shape);
  return `  let inRow = params.n / 4u;\n  let entry = ${row} * inRow + ${col} / 4u;`;
}

const sumsIn = (shape: StagedTiling) =>
  listSums(shape).map(({ register, rowsBelow, colsRight }) => ({
    product: register,
    index: `entry + ${rowsBelow}u * inRow + ${colsRight / 4}u`,
  }));

/** Returns WGSL that stores sums in the step's slots, one vec4 after the other, if C has their entries. */
function storedOne(shape: StagedTiling): string {
  const { row, col } = firstSum(shape);
  return listSums(shape)
    .map(
      ({ register, rowsBelow, colsRight }) =>
        `  store(${row} + ${rowsBelow}u, ${col} + ${colsRight}u, ${register});`,
    )
    .join('\n');
}
