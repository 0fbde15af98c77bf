import type { Algorithm } from '../../algorithms/algorithm.ts';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { EXIT } from '../../base/errors.ts';
import type { Registry } from '../../base/registry.ts';
import { itemsOfConfig } from '../../config/node/items-of-config.ts';
import type { Shape } from '../../matrix/dense.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { compile } from '../../plan/compile.ts';
import { type Plan, styles } from '../../plan/plan.ts';
import { f32 } from '../../precision/format.ts';
import { type APrioriBound, aPriori } from '../../readers/a-priori.ts';
import { c1060, quantities } from '../../readers/cost.ts';
import {
  type Description,
  describePlan,
  fullListing,
  type LevelListing,
  type ListingRow,
} from '../../readers/describe.ts';
import { columnsOf, makeFactsTable, type Table } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import type { TerminalStyle } from '../../report/terminal/text.ts';
import { type DescribeRequest, readDepth } from './options.ts';

/** The output of `describe --json`. */
export interface DescribeReport extends Description {
  /** The a priori error bound in binary32. */
  readonly aPriori: APrioriBound;
  /** Every step in order; only with `--all`. */
  readonly all?: readonly ListingRow[];
}

/** Describes an algorithm's plan for a product. @returns the exit code */
export async function runDescribe(request: DescribeRequest): Promise<number> {
  const { algorithms } = await itemsOfConfig(request.config, request.algorithm);
  const report = describeReport(request, algorithms);
  console.log(
    request.json === true
      ? JSON.stringify(report, undefined, 2)
      : describeText(report, lookFor(process.stdout)),
  );
  return EXIT.pass;
}

/**
 * Makes the report of `describe`.
 * @param algorithms the algorithms that may be named. @defaultValue the built-in ones
 * @throws ParanoiaError `unknown-name`
 */
export function describeReport(
  request: DescribeRequest,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): DescribeReport {
  const plan = planOf(request, algorithms);
  return {
    ...describePlan(plan),
    aPriori: aPriori(plan, f32.unitRoundoff),
    ...(request.all === true && { all: fullListing(plan) }),
  };
}

const usualShape: Shape = { m: 1024, k: 1024, n: 1024 };

function planOf(request: DescribeRequest, algorithms: Registry<Algorithm>): Plan {
  const { algorithm = 'strassen', size: shape = usualShape } = request;
  const { fringe = 'pad', tail = 'mask', style = 'scheduled' } = request;
  const depth = readDepth(request, 1);
  return compile({ algorithm: algorithms.find(algorithm), shape, depth, fringe, tail, style });
}

export function describeText(report: DescribeReport, look: TerminalStyle): string {
  const { all, listings } = report;
  const listed =
    all === undefined
      ? alike(listings).map((same) => listingTable(levelTitle(same, report), same[0].rows))
      : [listingTable(`All ${all.length} rows, inner calls marked │`, all)];
  return terminalTables([facts(report), ...listed], look).trimEnd();
}

function facts(report: DescribeReport): Table {
  const { algorithm, shape, levels, fringe, tail, leaf, workspace, formulas } = report;
  const fixUps = report.fixUps > 0 ? `, ${plural(report.fixUps, 'thin product')} of peeling` : '';
  return makeFactsTable(algorithm.title, [
    ['source', algorithm.source],
    ['product', `${times(shape)}; ${plural(levels, 'level')}, leaves ${times(leaf)}`],
    ['fringe', `${fringe}; tail ${tail}`],
    [
      'steps',
      `${count(report.steps)}: ${plural(report.products, 'product')}${fixUps}, ${plural(report.combines, 'block sum')}`,
    ],
    ...fusedRows(report),
    ['workspace', `${count(workspace.entries)} entries, ${workspace.perEntryOfC.toFixed(3)} of C's`],
    ...quantities.map((quantity) => {
      const formula = formulas === undefined ? '' : ` = ${formulas[quantity]}`;
      const saved = levels === 0 ? '' : ` (${comparison(report.saved[quantity])} than classical)`;
      return [quantity, `${count(report.cost[quantity])}${formula}${saved}`] as const;
    }),
    ['', `transactions and bytes of ${c1060.title}`],
    ['error', bound(report.aPriori)],
  ]);
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

function bound(bound: APrioriBound): string {
  const quadrants = Object.entries(bound.byQuadrant);
  const each = quadrants.map(([name, factor]) => `${name} ${factor.toExponential(2)}`).join(', ');
  const size = `at most ${bound.factor.toExponential(2)}·max|A|·max|B| in binary32`;
  const entry =
    bound.kind === 'componentwise' ? `; ${bound.gamma.toExponential(2)}·|A||B| entry by entry` : '';
  return quadrants.length > 1 && bound.kind === 'normwise' ? `${size} (${each})` : `${size}${entry}`;
}

/** Groups neighboring levels with equal calls. */
function alike(listings: readonly LevelListing[]): LevelListing[][] {
  const groups: LevelListing[][] = [];
  for (const listing of listings) {
    const group = groups.at(-1);
    const same = group !== undefined && sameRows(group[0].rows, listing.rows);
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

const sameRows = (a: readonly ListingRow[], b: readonly ListingRow[]) =>
  JSON.stringify(listingTable('', a)) === JSON.stringify(listingTable('', b));

/** The table of steps, with the columns of Figures 12 and 13. */
function listingTable(title: string, rows: readonly ListingRow[]): Table {
  const outermost = rows.reduce((depth, { call }) => Math.min(depth, call.length), Number.POSITIVE_INFINITY);
  return {
    title,
    columns: [...columnsOf('number', 'Step'), ...columnsOf('text', 'Computation', 'GPU kernel')],
    rows: rows.map(({ step, call, computation, kernel }) => [
      String(step),
      `${'│ '.repeat(call.length - outermost)}${computation}`,
      kernel ?? '',
    ]),
  };
}

const times = ({ m, k, n }: Shape): string => `${m}×${k}×${n}`;

/** Groups the digits of a number in threes; `Intl` takes a tenth of a second to load. */
const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

const plural = (value: number, noun: string, ending = 's'): string =>
  `${count(value)} ${noun}${value === 1 ? '' : ending}`;
