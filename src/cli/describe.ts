import type { CAC } from 'cac';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { f32 } from '../formats/format.ts';
import { MAX_DIMENSION, type Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Depth } from '../plan/levels.ts';
import { borders, edges, type Plan, type Style, styles } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import { type APriori, aPriori } from '../readers/a-priori.ts';
import { quantities } from '../readers/cost.ts';
import {
  type Description,
  describePlan,
  fullListing,
  type LevelListing,
  type ListingRow,
} from '../readers/describe.ts';
import { c1060 } from '../readers/machine-model.ts';

/** The options of `describe`, as parsed from the command line. */
export interface DescribeOptions {
  readonly algorithm?: unknown;
  readonly levels?: unknown;
  readonly tau1?: unknown;
  readonly tau2?: unknown;
  readonly size?: unknown;
  readonly shape?: unknown;
  readonly border?: unknown;
  readonly edge?: unknown;
  readonly style?: unknown;
  readonly all?: unknown;
  readonly json?: unknown;
}

/** What `describe --json` prints. */
export interface DescribeReport extends Description {
  /** The a priori error bound in binary32. */
  readonly aPriori: APriori;
  /** Every step in order; only with `--all`. */
  readonly all?: readonly ListingRow[];
}

/** Adds the command `describe` to the command line. */
export function registerDescribe(cli: CAC): void {
  cli
    .command('describe', 'List the steps of a product, its cost and its error bound; needs no GPU')
    .option('--algorithm <name>', 'classical, strassen, winograd (default: strassen)')
    .option('--levels <count>', 'Levels of recursion (default: 1)')
    .option('--tau1 <n>', 'Instead of --levels: up to this size no recursion (default: half of --tau2)')
    .option('--tau2 <n>', 'Instead of --levels: up to this size one level (default: twice --tau1)')
    .option('--size <n>', 'A square product (default: 1024)')
    .option('--shape <m,k,n>', 'A product of A, m×k, by B, k×n')
    .option('--border <how>', 'pad or peel what the levels do not divide (default: pad)')
    .option('--edge <how>', 'guard or pad what the tile does not divide (default: guard)')
    .option(
      '--style <name>',
      'Where block sums are computed: scheduled, wide, fused, hybrid, atomic (default: scheduled)',
    )
    .option('--all', 'List every step, not one call a level')
    .option('--json', 'Print JSON')
    .example('gemm-paranoia describe --algorithm winograd --levels 2 --size 4096')
    .action((options: DescribeOptions) => {
      const report = describeReport(options);
      console.log(options.json === true ? JSON.stringify(report, undefined, 2) : describeText(report));
    });
}

/**
 * What `describe` tells.
 * @throws Problem `unknown-name`, `bad-number`, `conflicting-options`
 */
export function describeReport(options: DescribeOptions): DescribeReport {
  const plan = planOf(options);
  return {
    ...describePlan(plan),
    aPriori: aPriori(plan, f32.unitRoundoff),
    ...(options.all === true && { all: fullListing(plan) }),
  };
}

function planOf(options: DescribeOptions): Plan {
  const algorithm = findAlgorithm(String(options.algorithm ?? 'strassen'));
  const border = oneOf(borders, 'border', options.border ?? 'pad');
  const edge = oneOf(edges, 'edge', options.edge ?? 'guard');
  const style = oneOf(Object.keys(styles) as Style[], 'style', options.style ?? 'scheduled');
  return compile({ algorithm, shape: shapeOf(options), depth: depthOf(options), border, edge, style });
}

function depthOf({ levels, tau1, tau2 }: DescribeOptions): Depth {
  if (tau1 === undefined && tau2 === undefined) return { levels: number('--levels', levels ?? 1) };
  if (levels !== undefined)
    throw problem('conflicting-options', { one: '--levels', other: '--tau1, --tau2' });
  return {
    tau1: tau1 === undefined ? Math.ceil(number('--tau2', tau2) / 2) : number('--tau1', tau1),
    tau2: tau2 === undefined ? 2 * number('--tau1', tau1) : number('--tau2', tau2),
  };
}

function shapeOf({ size, shape }: DescribeOptions): Shape {
  if (shape === undefined) {
    const n = number('--size', size ?? 1024);
    return { m: n, k: n, n };
  }
  if (size !== undefined) throw problem('conflicting-options', { one: '--size', other: '--shape' });
  const match = /^(\d+),(\d+),(\d+)$/.exec(String(shape));
  if (match === null) {
    const need = `three whole numbers from 1 to ${MAX_DIMENSION}, m,k,n`;
    throw problem('bad-number', { what: '--shape', given: shape, need });
  }
  const [m, k, n] = match.slice(1).map(Number);
  return { m, k, n };
}

function number(what: string, given: unknown): number {
  if (typeof given !== 'number') throw problem('bad-number', { what, given, need: 'a number' });
  return given;
}

function oneOf<T extends string>(known: readonly T[], what: string, given: unknown): T {
  const found = known.find((name) => name === given);
  if (found === undefined) throw problem('unknown-name', { what, given: String(given), known });
  return found;
}

/** The report as text for a terminal. */
export function describeText(report: DescribeReport): string {
  const { all, listings } = report;
  const tables =
    all === undefined
      ? alike(listings).flatMap((same) => ['', levelTitle(same, report), ...table(same[0].rows)])
      : ['', `All ${all.length} rows, inner calls indented`, ...table(all)];
  return [...facts(report), ...tables].join('\n');
}

function facts(report: DescribeReport): string[] {
  const { algorithm, shape, levels, border, edge, leaf, workspace, formulas } = report;
  const fixUps = report.fixUps > 0 ? `, ${plural(report.fixUps, 'thin product')} of peeling` : '';
  const rows: (readonly [string, string])[] = [
    ['source', algorithm.source],
    ['product', `${times(shape)}; ${plural(levels, 'level')}, leaves ${times(leaf)}`],
    ['border', `${border}; edge ${edge}`],
    [
      'steps',
      `${count(report.steps)}: ${plural(report.products, 'product')}${fixUps}, ${plural(report.combines, 'block sum')}`,
    ],
    ...fusedRows(report),
    ['workspace', `${count(workspace.entries)} entries, ${workspace.perEntryOfC.toFixed(3)} of C's`],
    ...quantities.map((quantity) => {
      const formula = formulas === undefined ? '' : ` = ${formulas[quantity]}`;
      const saved = levels === 0 ? '' : `  (${comparison(report.saved[quantity])} than classical)`;
      return [quantity, `${count(report.cost[quantity])}${formula}${saved}`] as const;
    }),
    ['', `transactions and bytes of ${c1060.title}`],
    ['error', bound(report.aPriori)],
  ];
  return [algorithm.title, ...rows.map(([key, value]) => `    ${key.padEnd(12)} ${value}`)];
}

function fusedRows({ style, fused }: DescribeReport): (readonly [string, string])[] {
  const named: readonly [string, string] = ['style', `${style}: ${styles[style].title}`];
  if (fused === undefined) return style === 'scheduled' ? [] : [named];
  const { levels, products, batches, ordered, variants } = fused;
  const order = ordered ? 'in this order' : 'added to C in any order';
  const each = variants.map(({ a, b, c, products }, at) => `var#${at} ${a},${b},${c}: ${products}`);
  return [
    named,
    [
      'fused',
      `${plural(levels, 'level')}: ${plural(products, 'product')} in ${plural(batches, 'dispatch', 'es')}, ${order}`,
    ],
    ['variants', `${each.join('; ')} (blocks summed in A, in B, updated in C: products)`],
  ];
}

const comparison = (saved: string): string =>
  saved.startsWith('-') ? `${saved.slice(1)} % more` : `${saved} % less`;

function bound(bound: APriori): string {
  const quadrants = Object.entries(bound.byQuadrant);
  const each = quadrants.map(([name, factor]) => `${name} ${factor.toExponential(2)}`).join(', ');
  const size = `at most ${bound.factor.toExponential(2)}·max|A|·max|B| in binary32`;
  const entry =
    bound.kind === 'componentwise' ? `; ${bound.gamma.toExponential(2)}·|A||B| entry by entry` : '';
  return quadrants.length > 1 && bound.kind === 'normwise' ? `${size} (${each})` : `${size}${entry}`;
}

/** Neighbouring levels whose calls read the same, together. */
function alike(listings: readonly LevelListing[]): LevelListing[][] {
  const groups: LevelListing[][] = [];
  for (const listing of listings) {
    const group = groups.at(-1);
    const same = group !== undefined && table(group[0].rows).join() === table(listing.rows).join();
    if (same) group.push(listing);
    else groups.push([listing]);
  }
  return groups;
}

function levelTitle(same: readonly LevelListing[], { levels }: DescribeReport): string {
  const [first, last] = [same[0], same[same.length - 1]];
  if (first.level === 0) return `No recursion: ${times(first.shape)}`;
  const range = first === last ? `Level ${first.level}` : `Levels ${first.level} to ${last.level}`;
  const calls = same.map(({ shape, calls }) => {
    return `${times(shape)} ${calls === 1 ? 'once' : `${count(calls)} times`}`;
  });
  return `${range} of ${levels}: ${calls.join(', ')}`;
}

/** The columns of Figures 12 and 13. */
function table(rows: readonly ListingRow[]): string[] {
  const outermost = rows.reduce((depth, { call }) => Math.min(depth, call.length), Number.POSITIVE_INFINITY);
  const cells = rows.map(({ step, call, computation, kernel }) => ({
    step: String(step),
    computation: `${'  '.repeat(call.length - outermost)}${computation}`,
    kernel: kernel ?? '',
  }));
  const all = [{ step: 'Step', computation: 'Computation', kernel: 'GPU kernel' }, ...cells];
  const width = (of: (cell: (typeof all)[number]) => string) =>
    all.reduce((most, cell) => Math.max(most, of(cell).length), 0);
  const [stepWidth, computationWidth] = [width(({ step }) => step), width(({ computation }) => computation)];
  return all.map(({ step, computation, kernel }) =>
    `  ${step.padStart(stepWidth)}  ${computation.padEnd(computationWidth)}  ${kernel}`.trimEnd(),
  );
}

const times = ({ m, k, n }: Shape): string => `${m}×${k}×${n}`;

const count = (value: number): string => value.toLocaleString('en-US');

const plural = (value: number, noun: string, ending = 's'): string =>
  `${count(value)} ${noun}${value === 1 ? '' : ending}`;
