import { type Numeric, single } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { firstSum, listSums, placesOfX, placesOfY } from '../leaves/staged-block.ts';
import { type OperandSum, type StagedEnds, stagedMain } from '../leaves/staged-loop.ts';
import type { StagedTiling } from '../tilings.ts';
import { BETA, FRESH, instanceDeclarations, NEGATIVE, scaleFunction, TERM_WORDS } from './instances.ts';
import type { PrimitiveKind } from './primitive.ts';

/** The parameters of a shader of fused products whose dimensions the block shape divides. */
export interface StagedKind extends Pick<PrimitiveKind, 'counts' | 'scaled'> {
  readonly tiling: StagedTiling;
  /** For each factor, true if some product subtracts its first block. */
  readonly negativeFirst: { readonly a: boolean; readonly b: boolean };
}

/** The vec4s of C that an invocation reads before it adds to them, so that their latencies overlap. */
const AT_ONCE = 4;

/**
 * Returns the WGSL of a batch of fused products, like `primitiveShader` but on the loop of the staged leaf kernels. No block may be cut
 * off, and the block shape must divide them all.
 */
export function stagedPrimitiveShader(kind: StagedKind, numeric: Numeric): string {
  const { tiling, scaled } = kind;
  const form = { ...tiling, numeric, ragged: false };
  return `${instanceDeclarations(numeric, {
    x: numeric.memory(tiling.stage === 'columns' ? 1 : 4),
    y: numeric.memory(4),
    z: numeric.memory(4),
  })}
${scaled ? scaleFunction(numeric, 4) : ''}
${stagedMain(form, ends(kind, numeric))}`;
}

function ends(kind: StagedKind, numeric: Numeric): StagedEnds {
  const { tiling, counts, negativeFirst } = kind;
  const [ofX, ofY] = [placesOfX(tiling), placesOfY(tiling)];
  const gathers = tiling.stage === 'columns';
  const entryOfX = (t: number, e: number, p: string) => {
    if (!gathers) return `x[ax${t} + (${beyond('x', e)}${p} / 4u)]`;
    const rows = [0, 1, 2, 3].map((r) => `x[ax${t} + (${beyond('x', e)}${p} + ${r}u * params.x.z)]`);
    return `${numeric.memory(4)}(${rows.join(', ')})`;
  };
  const entryOfY = (t: number, e: number, p: string) =>
    `y[ay${t} + (${beyond('y', e)}${p} * (params.y.z / 4u))]`;
  const sum = (name: 'x' | 'y', terms: number, negative: boolean): OperandSum => ({
    terms,
    type: numeric.value(4),
    first: (brought) => (negative ? turned(brought, `${name}n0`, numeric) : brought),
    plus: (held, brought, term) => added(held, brought, `${name}n${term}`, numeric),
    operand: (held) => numeric.prepare(numeric.store(held, 4), 4),
  });
  const starts = [
    repeatLines(counts.a, (e) => termOf('x', e, e, gathers ? 1 : 4, kind)),
    repeatLines(counts.b, (e) => termOf('y', e, counts.a + e, 4, kind)),
    repeatLines(ofX.length, (t) => {
      const { row, step } = ofX[t];
      return `  let ax${t} = xo0 + ((top + ${row}) * params.x.z + ${step})${gathers ? '' : ' / 4u'};`;
    }),
    repeatLines(
      ofY.length,
      (t) => `  let ay${t} = yo0 + ((${ofY[t].step}) * params.y.z + left + ${ofY[t].col}) / 4u;`,
    ),
  ].join('\n');
  return {
    starts,
    x: {
      bring: (t, p, e) => numeric.load(entryOfX(t, e, p), 4),
      sum: sum('x', counts.a, negativeFirst.a),
    },
    y: {
      bring: (t, p, e) => numeric.load(entryOfY(t, e, p), 4),
      sum: sum('y', counts.b, negativeFirst.b),
    },
    finish: updates(kind, numeric),
  };
}

/** Returns WGSL of the distance from the first term to a term, followed by " + ". */
const beyond = (name: 'x' | 'y', e: number): string => (e === 0 ? '' : `${name}o${e} - ${name}o0 + `);

/** Returns WGSL of the start of a term, in units of `width` entries, and of its sign. */
function termOf(name: 'x' | 'y', e: number, term: number, width: 1 | 4, { counts }: StagedKind): string {
  const terms = counts.a + counts.b + counts.c;
  const at = `params.table + (group.z * ${terms}u + ${term}u) * ${TERM_WORDS}u`;
  const offset = `layouts[${at}] * params.${name}.z + layouts[${at} + 1u]`;
  return `  let ${name}o${e} = ${width === 4 ? `(${offset}) / 4u` : offset};
  let ${name}n${e} = (layouts[${at} + 2u] & ${NEGATIVE}u) != 0u;`;
}

const turned = (value: string, negative: string, numeric: Numeric): string =>
  `select(${value}, ${numeric.negate(`(${value})`, 4)}, ${negative})`;

/** Returns WGSL of a + b, or of a − b if `negative`. In binary32 this is one instruction, since ±1·b is exact. */
function added(a: string, b: string, negative: string, numeric: Numeric): string {
  if (numeric === single) return `fma(vec4<f32>(select(1.0, -1.0, ${negative})), ${b}, ${a})`;
  return numeric.add(a, turned(b, negative, numeric), 4);
}

/** Returns WGSL that updates C by the sums of an invocation, block by block. */
function updates(kind: StagedKind, numeric: Numeric): string {
  const { tiling, counts, scaled } = kind;
  const first = counts.a + counts.b;
  const { row, col } = firstSum(tiling);
  // Recomputed for each vec4: keeping all of them in registers would cost occupancy.
  const vectors = listSums(tiling).map(({ register, rowsBelow, colsRight }) => ({
    sum: register,
    index: `zo + ${rowsBelow}u * inRow + ${colsRight / 4}u`,
  }));
  const groups = Array.from({ length: Math.ceil(vectors.length / AT_ONCE) }, (_, at) =>
    vectors.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  const held = (entry: string) =>
    scaled ? `select(${entry}, times(${entry}, params.beta), (flags & ${BETA}u) != 0u)` : entry;
  const update = (group: typeof vectors) =>
    [
      ...group.map(({ index }, h) => `        let at${h} = ${index};`),
      ...group.map((_, h) => `        let held${h} = ${numeric.load(`z[at${h}]`, 4)};`),
      ...group.map(
        ({ sum }, h) =>
          `        z[at${h}] = ${numeric.store(added(held(`held${h}`), sum, 'negative', numeric), 4)};`,
      ),
    ].join('\n');
  const store = ({ sum, index }: (typeof vectors)[number]) =>
    `      z[${index}] = ${numeric.store(turned(sum, 'negative', numeric), 4)};`;
  const scale = vectors.map(({ sum }) => `  ${sum} = times(${sum}, params.alpha);`).join('\n');
  return `${scaled ? scale : ''}
  let inRow = params.z.z / 4u;
  for (var number = ${first}u; number < ${first + counts.c}u; number++) {
    let at = params.table + (group.z * ${first + counts.c}u + number) * ${TERM_WORDS}u;
    let zo = (layouts[at] + ${row}) * inRow + (layouts[at + 1u] + ${col}) / 4u;
    let flags = layouts[at + 2u];
    let negative = (flags & ${NEGATIVE}u) != 0u;
    if ((flags & ${FRESH}u) != 0u) {
${vectors.map(store).join('\n')}
    } else {
${groups.map((group) => `      {\n${update(group)}\n      }`).join('\n')}
    }
  }`;
}
