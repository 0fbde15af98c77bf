import { group } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import { type CaseStanding, standingOf, standings } from './standing.ts';

/** The worst result of a check in a cell; undefined where the check did not apply. */
export type CheckMark = 'fail' | 'inconclusive' | 'pass' | undefined;

/** The cases of one shape and one input. */
export interface GridCell {
  /** The standing of its worst case. */
  readonly standing: CaseStanding;
  readonly cases: number;
  /** Number of cases with this standing. */
  readonly worst: number;
  /** Marks in the order of the grid's checks. */
  readonly marks: readonly CheckMark[];
  /** Indices of its cases in the run, those of the worst standing first. */
  readonly places: readonly number[];
}

/** Rows of shapes and columns of inputs, with the result of each check in every cell. */
export interface CaseGrid {
  readonly title: string;
  /** True if rows are classes of shapes. */
  readonly isClassed: boolean;
  readonly inputs: readonly string[];
  readonly rows: readonly { readonly shape: string; readonly cells: readonly (GridCell | undefined)[] }[];
}

export interface IndexedCase {
  readonly result: CaseResult;
  readonly at: number;
}

/** Most shapes with a row each. With more, similar shapes share a row. */
const MOST_SHAPES = 14;
const MOST_INPUTS = 16;
const OTHERS = 'others';

/** Returns the checks that applied to cases, in the given order. If there are many, failed checks are kept. */
export function checksOf(cases: readonly CaseResult[], order: readonly string[]): string[] {
  const found = new Set(cases.flatMap(({ checks }) => checks.map(({ name }) => name)));
  const known = order.filter((name) => found.has(name));
  const others = [...found].filter((name) => !order.includes(name));
  const failing = new Set(
    cases.flatMap(({ checks }) => checks.flatMap(({ name, status }) => (status === 'fail' ? [name] : []))),
  );
  const all = [...known, ...others];
  const spare = Math.max(0, MOST_CHECKS - failing.size);
  const passing = new Set(all.filter((name) => !failing.has(name)).slice(0, spare));
  return all.filter((name) => failing.has(name) || passing.has(name)).slice(0, MOST_CHECKS);
}

/** Most squares of a cell. */
const MOST_CHECKS = 10;

/** The checks and columns that all grids of a report share. */
export interface SharedColumns {
  readonly checks: readonly string[];
  /** The inputs with a column of their own, as far as they occur. */
  readonly inputs: readonly string[];
}

/** Returns the inputs that have columns, the most frequent first. If there are many, the rest share one. */
export function inputsOf(placed: readonly IndexedCase[]): string[] {
  const all = [...group(placed, ({ result }) => result.input)].sort(([, a], [, b]) => b.length - a.length);
  return all.slice(0, all.length > MOST_INPUTS ? MOST_INPUTS - 1 : MOST_INPUTS).map(([input]) => input);
}

export function makeCaseGrid(
  title: string,
  placed: readonly IndexedCase[],
  { checks, inputs: columns }: SharedColumns,
): CaseGrid {
  const found = new Set(placed.map(({ result }) => result.input));
  const inputs = columns.filter((input) => found.has(input));
  const headings = inputs.length < found.size ? [...inputs, OTHERS] : inputs;
  const shapes = new Set(placed.map(({ result }) => exactShape(result).label));
  const isClassed = shapes.size > MOST_SHAPES;
  const rowOf = isClassed ? shapeClass : exactShape;
  const rows = [...group(placed, ({ result }) => rowOf(result).label).values()]
    .sort(([one], [other]) => rowOf(one.result).order - rowOf(other.result).order)
    .map((own) => {
      const cells = headings.map((heading) =>
        cellOf(
          own.filter(({ result }) => (inputs.includes(result.input) ? result.input : OTHERS) === heading),
          checks,
        ),
      );
      return { shape: rowOf(own[0].result).label, cells };
    });
  return { title, isClassed, inputs: headings, rows };
}

interface Row {
  readonly label: string;
  /** Sort key of rows. */
  readonly order: number;
}

const exactShape = ({ m, k, n }: CaseResult): Row => ({
  label: `${m}×${k}×${n}`,
  order: m * k + k * n + m * n,
});

/** The largest sizes of classes. */
const SIZES = [8, 64, 256, 1024, Number.POSITIVE_INFINITY];

/** Kinds of shapes; the first that holds counts. A size is large beside others if it is twice as large. */
const KINDS: readonly (readonly [string, (m: number, k: number, n: number) => boolean])[] = [
  ['empty', (m, k, n) => Math.min(m, k, n) === 0],
  ['similar sizes', (m, k, n) => Math.max(m, k, n) < 2 * Math.min(m, k, n)],
  ['long k', (m, k, n) => k >= 2 * Math.max(m, n)],
  ['short k', (m, k, n) => 2 * k <= Math.min(m, n)],
  ['many rows', (m, _, n) => m >= 2 * n],
  ['many columns', (m, _, n) => n >= 2 * m],
  ['others', () => true],
];

/** Returns the class of a shape, by its largest size and by the size that stands out. */
function shapeClass({ m, k, n }: CaseResult): Row {
  const kind = KINDS.findIndex(([, holds]) => holds(m, k, n));
  const [name] = KINDS[kind];
  if (kind === 0) return { label: name, order: -1 };
  const size = SIZES.findIndex((most) => Math.max(m, k, n) <= most);
  const most = SIZES[size];
  const range = Number.isFinite(most) ? `≤ ${most}` : `> ${SIZES[size - 1]}`;
  return { label: `${range}, ${name}`, order: KINDS.length * size + kind };
}

const WORST: readonly CheckMark[] = ['fail', 'inconclusive', 'pass'];

function cellOf(own: readonly IndexedCase[], checks: readonly string[]): GridCell | undefined {
  if (own.length === 0) return undefined;
  const byStanding = group(own, ({ result }) => standingOf(result));
  const inOrder = standings.flatMap((standing) => byStanding.get(standing) ?? []);
  const standing = standingOf(inOrder[0].result);
  const marks = checks.map((check) => {
    const said = new Set(
      own.flatMap(({ result }) =>
        result.checks.flatMap(({ name, status }) => (name === check ? [status] : [])),
      ),
    );
    return WORST.find((mark) => mark !== undefined && said.has(mark));
  });
  return {
    ...{ standing, marks, cases: own.length, worst: byStanding.get(standing)?.length ?? 0 },
    places: inOrder.map(({ at }) => at),
  };
}
