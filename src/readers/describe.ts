import type { Algorithm } from '../algorithms/algorithm.ts';
import { classical } from '../algorithms/classical.ts';
import { equalRationals, toFixed, toNumber } from '../base/rational.ts';
import type { Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { batchesOf, type OperandCounts, variantNumbers, variantsOf } from '../plan/fused.ts';
import { type Plan, type Step, type Style, styles } from '../plan/plan.ts';

import type { Fringe, Tail } from '../problem/method.ts';
import { kernelCall } from './basic-kernels.ts';
import { type Costs, c1060, eachQuantity, exactCost, reduction } from './cost.ts';
import { evaluate, formatPolynomial, formula, hasFormula } from './formula.ts';
import { callOf, callText, nameStep, type ProductNames } from './names.ts';
import { levelShapes } from './partition.ts';

/** A row of a listing, as in Figures 12 and 13 of the 2011 paper: one computation of a call of the algorithm. */
export interface ListingRow {
  /** Its number in the listing, from 1. */
  readonly step: number;
  /** Its recursive call: [] is the whole product, [3] its third block product, … */
  readonly call: readonly number[];
  readonly computation: string;
  /** The kernel, or the recursive call, with arguments. It stands on the last of the rows that it fuses. */
  readonly kernel?: string;
}

/** The steps of one call at a level of recursion. All calls of a level are the same except for their operands. */
export interface LevelListing {
  /** The level. 1 is the whole product, and 0 means no recursion. */
  readonly level: number;
  /** The shape of the product of a call, padding of the fringe included. */
  readonly shape: Shape;
  /** Number of such calls in the plan. */
  readonly calls: number;
  readonly rows: readonly ListingRow[];
}

/** The facts about a plan. */
export interface Description {
  readonly algorithm: { readonly name: string; readonly title: string; readonly source: string };
  readonly shape: Shape;
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
  /** The shape of the leaf products. */
  readonly leaf: Shape;
  /** Entries of workspace beyond A, B and C, and their ratio to the m·n entries of C. */
  readonly workspace: { readonly entries: number; readonly perEntryOfC: number };
  readonly steps: number;
  /** Number of leaf products, without fix-ups of peeling. */
  readonly products: number;
  /** Number of thin products that complete the remainder of peeling. */
  readonly fixUps: number;
  /** Number of steps without a product. */
  readonly combines: number;
  /** The place of sums of blocks. */
  readonly style: Style;
  /** The fused products of the innermost levels. Absent where there are none. */
  readonly fused?: FusedDescription | undefined;
  /** Operations, transactions and bytes on the machine of the 2011 paper. */
  readonly cost: Costs<number>;
  /** Percentage saved against the classical product of the same shape without recursion, to one decimal. */
  readonly saved: Costs<string>;
  /** The cost in terms of n, only for square products whose cost these formulas give exactly. */
  readonly formulas?: Costs<string>;
  readonly listings: readonly LevelListing[];
}

/** The primitives of Huang, Yu and van de Geijn 2020 in one fused call. */
export interface FusedDescription {
  readonly levels: number;
  readonly products: number;
  /** Number of dispatches of a call. Each has products of one variant that update no block in common. */
  readonly batches: number;
  /** True if products are added to C in the order of the steps. */
  readonly ordered: boolean;
  /** Variants by number: the blocks in each factor and in the update, and the number of such products. */
  readonly variants: readonly (OperandCounts & { readonly products: number })[];
}

function describeFused({ fused, style }: Plan): FusedDescription | undefined {
  if (fused === undefined) return undefined;
  const { algorithm, levels } = fused;
  const { ordered } = styles[style];
  const numbers = variantNumbers(algorithm);
  const variants = variantsOf(algorithm).map((counts, number) => ({
    ...counts,
    products: numbers.filter((other) => other === number).length,
  }));
  return {
    levels,
    products: numbers.length,
    batches: batchesOf(algorithm, ordered).length,
    ordered,
    variants,
  };
}

/** Describes a plan: its sizes, counts and cost, and the listing of one call at each level. */
export function describePlan(plan: Plan): Description {
  const { algorithm, shape, levels, fringe, tail, leaf, steps } = plan;
  const { name, title, source } = algorithm;
  const costs = exactCost(steps);
  const plain = compile({ algorithm: classical, shape, tail });
  const formulas = formulasOf(plan, costs);
  const multiplies = steps.filter(({ kind }) => kind === 'multiply');
  const fixUps = multiplies.filter(isFixUp).length;
  return {
    algorithm: { name, title, source },
    shape,
    levels,
    fringe,
    tail,
    leaf,
    workspace: { entries: plan.sizes.W, perEntryOfC: plan.sizes.W / (shape.m * shape.n) },
    steps: steps.length,
    products: multiplies.length - fixUps,
    fixUps,
    combines: steps.length - multiplies.length,
    style: plan.style,
    fused: describeFused(plan),
    cost: eachQuantity(costs, toNumber),
    saved: eachQuantity(reduction(costs, exactCost(plain.steps)), (percent) => toFixed(percent, 1)),
    ...(formulas && { formulas }),
    listings: levelListings(plan),
  };
}

/** Lists every step of the plan in order, with recursive calls expanded where they are made. */
export function fullListing(plan: Plan): ListingRow[] {
  return rowsOf(plan, entriesOf(plan));
}

function formulasOf({ algorithm, shape, levels, style }: Plan, costs: Costs<{ num: bigint; den: bigint }>) {
  const { m, k, n } = shape;
  if (m !== n || k !== n || !hasFormula(algorithm, levels)) return undefined;
  const polynomials = formula(algorithm, levels, c1060, style);
  const holds = eachQuantity(polynomials, (polynomial, quantity) =>
    equalRationals(evaluate(polynomial, n), costs[quantity]),
  );
  return Object.values(holds).every(Boolean) ? eachQuantity(polynomials, formatPolynomial) : undefined;
}

/** A step, or the start of recursive call number `product`, in its call. */
type Entry =
  | { readonly call: readonly number[]; readonly step: Step }
  | { readonly call: readonly number[]; readonly product: number };

function entriesOf(plan: Plan): Entry[] {
  const entries: Entry[] = [];
  let open: readonly number[] = [];
  for (const step of plan.steps) {
    const call = levelOf(step);
    const shared = open.findIndex((product, depth) => product !== call[depth]);
    for (let depth = shared < 0 ? open.length : shared; depth < call.length; depth++) {
      entries.push({ call: call.slice(0, depth), product: call[depth] });
    }
    entries.push({ call, step });
    open = call;
  }
  return entries;
}

/** Returns the recursive call of a step. Its path names a product within the call, except for fix-ups after all products. */
function levelOf(step: Step): readonly number[] {
  return isFixUp(step) ? step.path : step.path.slice(0, -1);
}

const isFixUp = (step: Step): boolean =>
  step.kind === 'multiply' && step.primitive === undefined && step.x[0].window !== undefined;

function levelListings(plan: Plan): LevelListing[] {
  const first = entriesOf(plan).filter(({ call }) => call.every((product) => product === 1));
  const products = plan.algorithm.u.length;
  return levelShapes(plan)
    .slice(0, Math.max(plan.levels, 1))
    .map((shape, depth) => ({
      level: plan.levels === 0 ? 0 : depth + 1,
      shape,
      calls: products ** depth,
      rows: rowsOf(
        plan,
        first.filter(({ call }) => call.length === depth),
      ),
    }));
}

function rowsOf({ algorithm, calls }: Plan, entries: readonly Entry[]): ListingRow[] {
  const rows: ListingRow[] = [];
  const push = (call: readonly number[], computation: string, kernel?: string) =>
    rows.push({ step: rows.length + 1, call, computation, ...(kernel && { kernel }) });
  for (const entry of entries) {
    if ('product' in entry) {
      const call = callOf(calls[entry.product - 1]);
      push(entry.call, callText(call), recursiveCall(algorithm, call));
      continue;
    }
    const { kernel, args } = kernelCall(entry.step);
    const { lines } = nameStep(entry.step);
    lines.forEach((computation, index) => {
      const last = index === lines.length - 1;
      push(entry.call, computation, last ? `${kernel}(${args.join(', ')})` : undefined);
    });
  }
  return rows;
}

const recursiveCall = ({ name }: Algorithm, { x, y, z }: ProductNames): string => `${name}(${x}, ${y}, ${z})`;
