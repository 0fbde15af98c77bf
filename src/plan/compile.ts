import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { isOfComplex, ONE_LEVEL } from '../algorithms/algorithms.ts';
import { composePower } from '../algorithms/bilinear-table.ts';
import { type Role, type ScheduleValues, scheduleValuesOf } from '../algorithms/notation.ts';
import { badArgument, badNumber, unknownName } from '../base/messages.ts';
import { MAX_DIMENSION, type Shape } from '../matrix/dense.ts';
import { requireScaling, type Scaling } from '../matrix/factor.ts';
import { type Fringe, fringes, type Tail, tails } from '../problem/method.ts';
import { blockShape, type FusedTable, fusedProducts, fusedTable } from './fused.ts';
import { type LocatedValue, type LoweredLaunch, lowerLaunches, type ValueLocation } from './launches.ts';
import type { BlockLayout } from './layout.ts';
import { type Depth, levelLayouts, levelSizes, levelsFor, type RoleLayouts } from './levels.ts';
import { launchesOf } from './pack.ts';
import { peelProducts } from './peel.ts';
import { placeValues } from './places.ts';
import {
  type Block,
  type LaunchedValues,
  type Plan,
  PRODUCT,
  type Step,
  type StepOrigin,
  type Style,
  styles,
} from './plan.ts';

/** Options of compiling a plan. */
export interface PlanOptions {
  readonly algorithm: Algorithm;
  readonly shape: Shape;
  /** Depth of recursion. @defaultValue no recursion */
  readonly depth?: Depth;
  /** Treatment of sizes that the levels do not divide. @defaultValue `pad` */
  readonly fringe?: Fringe;
  /** Treatment of blocks that the tile does not divide. @defaultValue `mask` */
  readonly tail?: Tail;
  /** The leaf kernel's tile, to which `tail: 'pad'` stores leaf blocks. @defaultValue 1×1×1 */
  readonly tile?: Shape;
  /**
   * Place of sums of blocks. Where products are fused, blocks are stored as they are, without regard to `tail` and `tile`. @defaultValue
   * `scheduled`
   */
  readonly style?: Style;
  /**
   * Number of terms of the runs in which leaf products are summed ({@link MultiplyStep.run}). Fused products and fix-ups have no runs.
   * @defaultValue one run
   */
  readonly run?: number | undefined;
  /** Factors alpha and beta. @defaultValue A·B itself */
  readonly scaling?: Scaling | undefined;
}

function requireSizes(what: string, sizes: Shape, least: number): void {
  for (const name of ['m', 'k', 'n'] as const) {
    const given = (sizes as Partial<Shape> | undefined)?.[name];
    if (Number.isInteger(given) && (given as number) >= least && (given as number) <= MAX_DIMENSION) continue;
    throw badNumber({
      what: `${what} ${name}`,
      given,
      need: `a whole number from ${least} to ${MAX_DIMENSION}`,
    });
  }
}

function requireOneOf(what: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw unknownName({ what, given, known });
}

/** Scaling of A·B itself. */
export const UNSCALED: Scaling = { alpha: 1, beta: 0 };

/** A tile that divides all sizes. */
const WHOLE: Shape = { m: 1, k: 1, n: 1 };

/** Most steps of a plan. 7 levels of Strassen have 10⁶ products already. */
const MAX_STEPS = 2_000_000;

/**
 * Compiles an algorithm for a shape: the layouts of A, B and C, the workspace, and the steps in order.
 *
 * Workspace is at most two temporaries a level for Strassen and Winograd: for square n = 2^L·n₀ that is
 * 2n²·(1/4 + 1/16 + …) < 2n²/3 entries beyond A, B and C (Li, Ranka, Sahni 2011, section 1), alignment of leaf
 * blocks below 64 entries aside. Products with k > min(m, n) need more, since blocks of C are then too small
 * to hold sums of A's and B's blocks. Levels that are fused ({@link fusedProducts}) need none; a `wide` plan holds the
 * operands of all products of a level at once: 5 blocks for Winograd, less than 5n²/3 entries in all, and 7 for
 * Strassen.
 * @throws ParanoiaError `bad-number` for sizes that are not whole numbers from 1 to 32768, for bad levels, and for
 *   plans of more than two million steps; `unknown-name` for a fringe or a tail, `bad-argument` for an algorithm.
 */
export function compile(options: PlanOptions): Plan {
  const { algorithm, shape, fringe = 'pad', tail = 'mask', tile = WHOLE } = options ?? {};
  const { style = 'scheduled', scaling = UNSCALED, run } = options ?? {};
  if (algorithm?.base === undefined) {
    throw badArgument({ what: 'algorithm', need: 'an algorithm, as findAlgorithm returns' });
  }
  requireSizes('size', shape, 0);
  requireSizes('tile', tile, 1);
  requireOneOf('fringe', fringe, fringes);
  requireOneOf('tail', tail, tails);
  requireOneOf('style', style, Object.keys(styles));
  const asked = levelsFor(shape, options.depth ?? { levels: 0 }, algorithm.base);
  const inner = Math.min(asked, styles[style].levels);
  const sizes = levelSizes(algorithm, shape, asked - inner, fringe);
  const outer = sizes.length - 1;
  const levels = outer + inner;
  if (isOfComplex(algorithm) && levels > 1)
    throw badNumber({ what: `Levels of ${algorithm.name}`, given: levels, need: ONE_LEVEL });
  requireScaling(scaling);
  // Where C is not scratch, products are scaled as they are added to it.
  const isWithin = outer === 0;
  const values = scheduleValuesOf(algorithm);
  const launches = launchesOf(values, style);
  if (rank(algorithm) ** levels * launches.length > MAX_STEPS) {
    const most = Math.floor(Math.log(MAX_STEPS / launches.length) / Math.log(rank(algorithm)));
    const need = `so few that the plan has at most ${MAX_STEPS} steps (up to ${most} with ${algorithm.name})`;
    throw badNumber({ what: 'levels', given: levels, need });
  }
  const fused =
    styles[style].levels === 0
      ? undefined
      : fusedTable(composePower(algorithm, inner), styles[style].ordered);
  const stored = fused === undefined && tail === 'pad' ? tile : WHOLE;
  const layouts = levelLayouts(algorithm, sizes, stored);
  const compiler = new Compiler(
    { algorithm, values, launches, free: style === 'wide', run },
    layouts,
    fused,
    isWithin ? scaling : UNSCALED,
  );
  const { A, B, C } = layouts[0];
  const root = (buffer: Role, layout: BlockLayout): Block => ({ buffer, offset: 0, layout });
  const [x, y, z] = [root('A', A), root('B', B), root('C', C)];
  const saved: Block = { buffer: 'W', offset: compiler.workspace, layout: C };
  const isScaled = !isWithin && scaling !== UNSCALED && (scaling.alpha !== 1 || scaling.beta !== 0);
  const added = isScaled && scaling.beta !== 0 && !hasNoTerms(shape, scaling);
  let steps = compiler.steps;
  if (shape.m * shape.n === 0) steps = [];
  else if (hasNoTerms(shape, scaling)) steps = [scaledAlone(z, scaling.beta)];
  else {
    compiler.product(x, y, z, 0, { path: [] });
    if (added) steps.unshift(copied(z, saved));
    if (isScaled) steps.push(scaled(z, added ? saved : undefined, scaling));
  }
  return {
    algorithm,
    shape,
    levels,
    fringe: fused !== undefined && outer === 0 ? 'pad' : fringe,
    tail: fused === undefined ? tail : 'mask',
    layouts: { A, B, C },
    sizes: { A: A.size, B: B.size, C: C.size, W: compiler.workspace + (added ? C.size : 0) },
    leaf: fused === undefined ? sizes[outer] : blockShape(fused.algorithm, sizes[outer]),
    style,
    ...(run === undefined || fused !== undefined ? {} : { run }),
    ...(fused && { fused: { levels: inner, algorithm: fused.algorithm } }),
    scaling,
    calls: compiler.calls,
    steps,
  };
}

/** One level of an algorithm, in the order of a style. */
interface Ordered {
  readonly algorithm: Algorithm;
  readonly values: ScheduleValues;
  readonly launches: readonly (readonly number[])[];
  readonly free: boolean;
  /** See {@link PlanOptions.run}. */
  readonly run: number | undefined;
}

/** Walks the recursion once and emits steps. */
class Compiler {
  readonly steps: Step[] = [];
  readonly calls: readonly LaunchedValues[];
  readonly workspace: number;
  private readonly ordered: Ordered;
  private readonly layouts: readonly RoleLayouts[];
  /** The fused products of the leaves, where a leaf is more than one product. */
  private readonly fused: FusedTable | undefined;
  private readonly scaling: Scaling;
  /** Launches of each level. Every call has them at the same places, since calls of a level never overlap in time. */
  private readonly launches: readonly (readonly LoweredLaunch[])[];

  constructor(
    ordered: Ordered,
    layouts: readonly RoleLayouts[],
    fused: FusedTable | undefined,
    scaling: Scaling,
  ) {
    this.ordered = ordered;
    this.layouts = layouts;
    this.fused = fused;
    this.scaling = scaling;
    let start = 0;
    this.launches = layouts.slice(1).map((parts, level) => {
      const { values, launches, free, algorithm } = ordered;
      const sizes = { A: parts.A.size, B: parts.B.size, C: parts.C.size };
      const inRegisters = this.isInnermost(level);
      const placing = {
        values,
        launches,
        sizes,
        columns: algorithm.base.n,
        inner: algorithm.base.k,
        start,
        inRegisters,
        free,
      };
      const places = placeValues(placing);
      const made = lowerLaunches(placing, places);
      start = places.top;
      return made;
    });
    this.workspace = start;
    this.calls = (this.launches[0] ?? []).flatMap(({ product, launched }) =>
      product === undefined ? [] : [launched],
    );
  }

  /** Emits Z = X·Y for blocks of `level`. */
  product(x: Block, y: Block, z: Block, level: number, of: StepOrigin): void {
    if (level === this.layouts.length - 1) {
      if (this.fused === undefined) this.steps.push(leafProduct(x, y, z, of, this.scaling, this.ordered.run));
      else this.steps.push(...fusedProducts(this.fused, x, y, z, of, this.scaling));
      return;
    }
    const parts = this.layouts[level + 1];
    const parents: Record<Role, Block> = { A: x, B: y, C: z };
    const blockOf = ({ role, at }: LocatedValue) => blockAt(at, parents, parts[role]);
    let products = 0;
    for (const { product, slots, updates, launched } of this.launches[level]) {
      if (product !== undefined) products++;
      const here = { path: [...of.path, products], launch: launched };
      const held = () => slots.map((slot) => ({ block: blockOf(slot), load: slot.load, store: slot.store }));
      if (product !== undefined && this.isInnermost(level)) {
        const [px, py] = [blockOf(product.x), blockOf(product.y)];
        this.steps.push({ ...multiplied(px, py, this.ordered.run), slots: held(), updates, ...here });
        continue;
      }
      if (product !== undefined) {
        const { x, y, z } = product;
        this.product(blockOf(x), blockOf(y), blockOf(z as LocatedValue), level + 1, here);
      }
      if (updates.length > 0) this.steps.push({ kind: 'combine', slots: held(), updates, ...here });
    }
    this.steps.push(...peelProducts(this.ordered.algorithm, x, y, z, of));
  }

  /** True if products of a level are leaf products, with sums as their epilogue. */
  private isInnermost(level: number): boolean {
    return level === this.layouts.length - 2 && this.fused === undefined;
  }
}

/** Returns the block at a place, or the part of A or B that is an input. */
function blockAt(at: ValueLocation, parents: Record<Role, Block>, layout: BlockLayout): Block {
  if (at.buffer === 'W') return { buffer: 'W', offset: at.at, layout };
  const parent = parents[at.buffer];
  if (parent.layout.kind !== 'split') throw new Error(`${at.buffer} is not split into parts.`);
  return { buffer: parent.buffer, offset: parent.offset + at.at * parent.layout.part.size, layout };
}

/** Returns the product of two blocks as they are stored, padding included. */
function multiplied(x: Block, y: Block, run: number | undefined) {
  const [a, b] = [x.layout, y.layout];
  if (a.kind !== 'leaf' || b.kind !== 'leaf') throw new Error('Only leaf blocks can be multiplied directly.');
  const shape = { m: a.storedRows, k: a.ld, n: b.ld };
  return {
    ...({ kind: 'multiply', x: [{ block: x, factor: 1 }], y: [{ block: y, factor: 1 }], shape } as const),
    ...(run !== undefined && run < shape.k ? { run } : {}),
  };
}

const leafProduct = (
  x: Block,
  y: Block,
  z: Block,
  of: StepOrigin,
  { alpha, beta }: Scaling,
  run: number | undefined,
): Step => ({
  ...multiplied(x, y, run),
  slots: [{ block: z, load: beta !== 0, store: true }],
  updates: [
    {
      target: 0,
      terms: [{ factor: alpha, slot: PRODUCT }, ...(beta === 0 ? [] : [{ factor: beta, slot: 0 }])],
    },
  ],
  ...of,
});

/** True if there is no multiplication, so that A and B are not read. */
const hasNoTerms = ({ k }: Shape, { alpha }: Scaling): boolean => k === 0 || alpha === 0;

/** Returns the step Z = beta·Z. For beta = 0 it writes zeros and does not read Z. */
const scaledAlone = (z: Block, beta: number): Step => ({
  kind: 'combine',
  slots: [{ block: z, load: beta !== 0, store: true }],
  updates: [{ target: 0, terms: beta === 0 ? [] : [{ factor: beta, slot: 0 }] }],
  path: [],
});

const copied = (from: Block, to: Block): Step => ({
  kind: 'combine',
  slots: [
    { block: from, load: true, store: false },
    { block: to, load: false, store: true },
  ],
  updates: [{ target: 1, terms: [{ factor: 1, slot: 0 }] }],
  path: [],
});

/** Returns the step Z = alpha·Z + beta·C, with the old values of C. */
const scaled = (z: Block, before: Block | undefined, { alpha, beta }: Scaling): Step => ({
  kind: 'combine',
  slots: [
    { block: z, load: true, store: true },
    ...(before === undefined ? [] : [{ block: before, load: true, store: false }]),
  ],
  updates: [
    {
      target: 0,
      terms: [{ factor: alpha, slot: 0 }, ...(before === undefined ? [] : [{ factor: beta, slot: 1 }])],
    },
  ],
  path: [],
});
