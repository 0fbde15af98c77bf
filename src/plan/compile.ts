import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { power } from '../algorithms/compose.ts';
import { type Group, scheduleOf } from '../algorithms/schedule.ts';
import { MAX_DIMENSION, type Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';
import { blockShape, type FusedTable, fusedProducts, fusedTable } from './fused.ts';
import { alignUp, type Layout, leafLayout, splitLayout } from './layout.ts';
import { type Depth, levelsFor } from './levels.ts';
import { type Lowered, liveAfter, lower } from './lower.ts';
import { peelProducts } from './peel.ts';
import {
  type Block,
  type Border,
  borders,
  type Edge,
  edges,
  type Factor,
  type Operand,
  type Plan,
  type Scaling,
  type Slot,
  type Step,
  type Style,
  styles,
} from './plan.ts';
import { requireScaling } from './scaling.ts';
import { type Allocation, allocate, partOf, type Role, rolesOf, type Use } from './storage.ts';
import { widen } from './widen.ts';

/** What to compile. */
export interface PlanOptions {
  readonly algorithm: Algorithm;
  readonly shape: Shape;
  /** Default: no recursion. */
  readonly depth?: Depth;
  /** Default: `pad`. */
  readonly border?: Border;
  /** Default: `guard`. */
  readonly edge?: Edge;
  /** The leaf kernel's tile, to which `edge: 'pad'` stores leaf blocks. Default: 1×1×1. */
  readonly tile?: Shape;
  /** Default: `scheduled`. Where products are fused, blocks are stored as they are: `edge` and `tile` mean nothing. */
  readonly style?: Style;
  /** Default: A·B itself. Only where all levels are fused. */
  readonly scaling?: Scaling;
}

function requireSizes(what: string, sizes: Shape): void {
  for (const name of ['m', 'k', 'n'] as const) {
    const given = (sizes as Partial<Shape> | undefined)?.[name];
    if (Number.isInteger(given) && (given as number) >= 1 && (given as number) <= MAX_DIMENSION) continue;
    throw problem('bad-number', {
      what: `${what} ${name}`,
      given,
      need: `a whole number from 1 to ${MAX_DIMENSION}`,
    });
  }
}

function requireOneOf(what: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw problem('unknown-name', { what, given, known });
}

/** A·B itself. */
export const UNSCALED: Scaling = { alpha: 1, beta: 0 };

/** A tile that divides everything. */
const WHOLE: Shape = { m: 1, k: 1, n: 1 };

/** Plans longer than this are refused: 7 levels of Strassen have 10⁶ products already. */
const MAX_STEPS = 2_000_000;

/**
 * Compiles an algorithm for a shape: the layouts of A, B and C, the workspace, and the steps in order.
 *
 * Workspace is at most two temporaries a level for Strassen and Winograd: for square n = 2^L·n₀ that is
 * 2n²·(1/4 + 1/16 + …) < 2n²/3 entries beyond A, B and C (Li, Ranka, Sahni 2011, section 1), alignment of leaf
 * blocks below 64 entries aside. Products with k > min(m, n) need more, since blocks of C are then too small
 * to hold sums of A's and B's blocks. Levels that are fused ({@link fusedProducts}) need none; a `wide` plan has a
 * place for every sum and product of a level ({@link widen}): 11 blocks for Winograd, less than 11n²/3 entries in all, and
 * 13 for Strassen.
 * @throws Problem `bad-number` for sizes that are not whole numbers from 1 to 32768, for bad levels, and for
 *   plans of more than two million steps; `unknown-name` for a border or an edge, `bad-argument` for an algorithm.
 */
export function compile(options: PlanOptions): Plan {
  const { algorithm, shape, border = 'pad', edge = 'guard', tile = WHOLE } = options ?? {};
  const { style = 'scheduled', scaling = UNSCALED } = options ?? {};
  if (algorithm?.base === undefined) {
    throw problem('bad-argument', { what: 'algorithm', need: 'an algorithm, as findAlgorithm gives it' });
  }
  requireSizes('size', shape);
  requireSizes('tile', tile);
  requireOneOf('border', border, borders);
  requireOneOf('edge', edge, edges);
  requireOneOf('style', style, Object.keys(styles));
  const asked = levelsFor(shape, options.depth ?? { levels: 0 });
  const inner = Math.min(asked, styles[style].levels);
  const sizes = levelSizes(algorithm, shape, asked - inner, border);
  const outer = sizes.length - 1;
  const levels = outer + inner;
  requireScaling(scaling, style, outer);
  const groups = style === 'wide' ? widen(scheduleOf(algorithm)) : scheduleOf(algorithm);
  if (rank(algorithm) ** levels * groups.length > MAX_STEPS) {
    const most = Math.floor(Math.log(MAX_STEPS / groups.length) / Math.log(rank(algorithm)));
    const need = `so few that the plan has at most ${MAX_STEPS} steps (up to ${most} with ${algorithm.name})`;
    throw problem('bad-number', { what: 'levels', given: levels, need });
  }
  const fused =
    styles[style].levels === 0 ? undefined : fusedTable(power(algorithm, inner), styles[style].ordered);
  const stored = fused === undefined && edge === 'pad' ? tile : WHOLE;
  const layouts = levelLayouts(algorithm, sizes, stored);
  const compiler = new Compiler(algorithm, groups, layouts, fused, scaling);
  const { A, B, C } = layouts[0];
  const root = (buffer: Role, layout: Layout): Operand => ({
    name: buffer,
    block: { buffer, offset: 0, layout },
  });
  compiler.product(root('A', A), root('B', B), root('C', C), 0, []);
  return {
    algorithm,
    shape,
    levels,
    border: fused !== undefined && outer === 0 ? 'pad' : border,
    edge: fused === undefined ? edge : 'guard',
    layouts: { A, B, C },
    sizes: { A: A.size, B: B.size, C: C.size, W: compiler.workspace },
    leaf: fused === undefined ? sizes[outer] : blockShape(fused.algorithm, sizes[outer]),
    style,
    ...(fused && { fused: { levels: inner, algorithm: fused.algorithm } }),
    scaling,
    steps: compiler.steps,
  };
}

/** The shape of a block product at each level, from the whole (padded) product to the leaf. */
function levelSizes({ base }: Algorithm, shape: Shape, levels: number, border: Border): Shape[] {
  const up = (size: number, parts: number) => alignUp(size, parts ** levels);
  let here =
    border === 'pad'
      ? { m: up(shape.m, base.m), k: up(shape.k, base.k), n: up(shape.n, base.n) }
      : { ...shape };
  const sizes: Shape[] = [here];
  for (let level = 0; level < levels; level++) {
    if (here.m < base.m || here.k < base.k || here.n < base.n) break;
    here = {
      m: Math.floor(here.m / base.m),
      k: Math.floor(here.k / base.k),
      n: Math.floor(here.n / base.n),
    };
    sizes.push(here);
  }
  return sizes;
}

type RoleLayouts = Record<Role, Layout>;

function levelLayouts({ base }: Algorithm, sizes: readonly Shape[], tile: Shape): RoleLayouts[] {
  const leaf = sizes[sizes.length - 1];
  const layouts: RoleLayouts[] = [
    {
      A: leafLayout(leaf.m, leaf.k, tile.m, tile.k),
      B: leafLayout(leaf.k, leaf.n, tile.k, tile.n),
      C: leafLayout(leaf.m, leaf.n, tile.m, tile.n),
    },
  ];
  for (let level = sizes.length - 2; level >= 0; level--) {
    const { m, k, n } = sizes[level];
    const part = layouts[0];
    layouts.unshift({
      A: splitLayout(m, k, base.m, base.k, part.A),
      B: splitLayout(k, n, base.k, base.n, part.B),
      C: splitLayout(m, n, base.m, base.n, part.C),
    });
  }
  return layouts;
}

/** A group of the schedule, lowered for the innermost level (`fused`) or for the levels above it. */
interface LoweredGroup extends Lowered {
  readonly group: Group;
  readonly roles: ReadonlyMap<string, Role>;
}

/** Walks the recursion once, emitting steps. */
class Compiler {
  readonly steps: Step[] = [];
  workspace = 0;
  private readonly algorithm: Algorithm;
  private readonly layouts: readonly RoleLayouts[];
  /** What multiplies the leaves, where that is not one product each. */
  private readonly fused: FusedTable | undefined;
  private readonly scaling: Scaling;
  private readonly innermost: readonly LoweredGroup[];
  private readonly above: readonly LoweredGroup[];
  /** Temporaries of each level: the same place in every call, since calls of a level never overlap in time. */
  private readonly allocations: Allocation[] = [];

  constructor(
    algorithm: Algorithm,
    groups: readonly Group[],
    layouts: readonly RoleLayouts[],
    fused: FusedTable | undefined,
    scaling: Scaling,
  ) {
    this.algorithm = algorithm;
    this.layouts = layouts;
    this.fused = fused;
    this.scaling = scaling;
    const live = liveAfter(groups);
    const roles = rolesOf(groups);
    const lowered = (fused: boolean) =>
      groups.map((group, g) => ({ group, roles: roles[g], ...lower(group, live[g], fused) }));
    this.innermost = lowered(true);
    this.above = lowered(false);
    for (let level = 0; level < layouts.length - 1; level++) {
      const fused = this.isInnermost(level);
      const allocation = allocate(this.uses(fused), layouts[level + 1], this.workspace);
      this.allocations.push(allocation);
      this.workspace = allocation.top;
    }
  }

  /** Emits Z = X·Y for blocks of `level`. */
  product(x: Operand, y: Operand, z: Operand, level: number, path: readonly number[]): void {
    if (level === this.layouts.length - 1) {
      if (this.fused === undefined) this.steps.push(leafProduct(x, y, z, path));
      else this.steps.push(...fusedProducts(this.fused, x, y, z, path, this.scaling));
      return;
    }
    const fused = this.isInnermost(level);
    const parts = this.layouts[level + 1];
    const parents: Record<string, Block> = { A: x.block, B: y.block, C: z.block };
    let products = 0;
    for (const { group, roles, names, loads, stores, updates } of fused ? this.innermost : this.above) {
      const operand = (name: string): Operand => {
        const role = roles.get(name) ?? 'C';
        const place = this.allocations[level].find({ name, role });
        if (place !== undefined) return { name, block: { buffer: 'W', offset: place, layout: parts[role] } };
        return { name, block: partOf(parents[name[0]], name, parts[role]) };
      };
      const slots: Slot[] = names.map((name) => ({
        ...operand(name),
        load: loads.has(name),
        store: stores.has(name),
      }));
      const { product } = group;
      const sumText = group.sums.map(sumLine);
      if (product !== undefined) products++;
      const here = [...path, products];
      if (product !== undefined && fused) {
        const [px, py] = [operand(product.x), operand(product.y)];
        const text = [`${product.target} = ${product.x} * ${product.y}`, ...sumText];
        this.steps.push({
          kind: 'multiply',
          x: alone(px),
          y: alone(py),
          shape: storedShape(px, py),
          slots,
          updates,
          text,
          path: here,
        });
        continue;
      }
      if (product !== undefined) {
        this.product(operand(product.x), operand(product.y), operand(product.target), level + 1, here);
      }
      if (updates.length > 0) this.steps.push({ kind: 'combine', slots, updates, text: sumText, path: here });
    }
    this.steps.push(...peelProducts(this.algorithm, x, y, z, path));
  }

  /** Whether products of a level are leaf products, with sums as their epilogue. */
  private isInnermost(level: number): boolean {
    return level === this.layouts.length - 2 && this.fused === undefined;
  }

  /** Every name that must have storage at a level, in every role it plays there. */
  private uses(fused: boolean): Use[] {
    return (fused ? this.innermost : this.above).flatMap(({ group: { product }, roles, names }) => {
      const touched = new Set(names);
      if (product !== undefined) {
        touched.add(product.x).add(product.y);
        if (!fused) touched.add(product.target);
      }
      return [...touched].map((name) => ({ name, role: roles.get(name) ?? 'C' }));
    });
  }
}

/** A block as a factor. */
const alone = (operand: Operand): Factor => [{ ...operand, sign: 1 }];

function leafProduct(x: Operand, y: Operand, z: Operand, path: readonly number[]): Step {
  return {
    kind: 'multiply',
    x: alone(x),
    y: alone(y),
    shape: storedShape(x, y),
    slots: [{ ...z, load: false, store: true }],
    updates: [{ target: 0, terms: [{ sign: 1, slot: -1 }] }],
    text: [`${z.name} = ${x.name} * ${y.name}`],
    path,
  };
}

/** The stored sizes of a leaf product: what the kernel multiplies, padding included. */
function storedShape(x: Operand, y: Operand): Shape {
  const [a, b] = [x.block.layout, y.block.layout];
  if (a.kind !== 'leaf' || b.kind !== 'leaf') throw new Error('Only leaf blocks are multiplied directly.');
  return { m: a.storedRows, k: a.ld, n: b.ld };
}

function sumLine({ target, terms }: Group['sums'][number]): string {
  const text = terms.map(({ sign, name }, index) => {
    if (index === 0) return sign < 0 ? `-${name}` : name;
    return `${sign < 0 ? '-' : '+'} ${name}`;
  });
  return `${target} = ${text.join(' ')}`;
}
