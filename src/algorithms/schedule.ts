import type { Algorithm } from './algorithm.ts';
import { blockName } from './block-name.ts';

/** A signed block in a sum. */
export interface NamedTerm {
  readonly sign: 1 | -1;
  readonly name: string;
}

/** `target = x * y`. */
export interface ProductLine {
  readonly target: string;
  readonly x: string;
  readonly y: string;
}

/** `target = ±a` (exact) or `target = ±a ± b` (one rounding). */
export interface SumLine {
  readonly target: string;
  readonly terms: readonly NamedTerm[];
}

/** What one kernel launch computes: a product or none, then sums in order. */
export interface Group {
  readonly product?: ProductLine;
  readonly sums: readonly SumLine[];
}

/** The groups of an algorithm's schedule, parsed; derived from its table when it has none. */
export function scheduleOf(algorithm: Algorithm): Group[] {
  return (algorithm.schedule ?? scheduleFromTable(algorithm)).map(parseGroup);
}

function parseGroup(lines: readonly string[]): Group {
  const first = /^(\w+) = (\w+) \* (\w+)$/.exec(lines[0]);
  if (first === null) return { sums: lines.map(parseSum) };
  const [, target, x, y] = first;
  return { product: { target, x, y }, sums: lines.slice(1).map(parseSum) };
}

function parseSum(line: string): SumLine {
  const match = /^(\w+) = (-?)(\w+)(?: ([+-]) (\w+))?$/.exec(line);
  if (match === null) throw new Error(`A schedule line must read "T = X ± Y" or "T = X * Y", not "${line}".`);
  const [, target, minus, a, operator, b] = match;
  const terms: NamedTerm[] = [{ sign: minus === '-' ? -1 : 1, name: a }];
  if (b !== undefined) terms.push({ sign: operator === '-' ? -1 : 1, name: b });
  return { target, terms };
}

/**
 * A schedule for any table with coefficients −1, 0, 1: each product's operands are summed into TA and TB
 * (or read in place when they are single blocks), multiplied into TM and added to the outputs: three
 * temporaries a level.
 */
export function scheduleFromTable(algorithm: Algorithm): string[][] {
  const { m, k, n } = algorithm.base;
  const groups: string[][] = [];
  const written = new Set<string>();
  algorithm.u.forEach((row, r) => {
    const x = operand('TA', terms('A', row, k));
    const y = operand('TB', terms('B', algorithm.v[r], n));
    if (x.lines.length > 0) groups.push(x.lines);
    if (y.lines.length > 0) groups.push(y.lines);
    const lines = [`TM = ${x.name} * ${y.name}`];
    for (const { sign, name } of terms('C', algorithm.w[r], n)) {
      if (written.has(name)) lines.push(`${name} = ${name} ${sign < 0 ? '-' : '+'} TM`);
      else lines.push(`${name} = ${sign < 0 ? '-' : ''}TM`);
      written.add(name);
    }
    groups.push(lines);
  });
  if (written.size !== m * n) throw new Error(`The table of ${algorithm.name} leaves blocks of C unwritten.`);
  return groups;
}

function terms(matrix: string, coefficients: readonly number[], columns: number): NamedTerm[] {
  return coefficients.flatMap((c, index) => {
    if (c === 0) return [];
    if (c !== 1 && c !== -1) throw new Error(`Coefficient ${c} needs a schedule of its own.`);
    return [{ sign: c as 1 | -1, name: blockName(matrix, index, columns) }];
  });
}

function operand(temporary: string, sum: NamedTerm[]): { name: string; lines: string[] } {
  if (sum.length === 1 && sum[0].sign === 1) return { name: sum[0].name, lines: [] };
  const first = `${temporary} = ${sum[0].sign < 0 ? '-' : ''}${sum[0].name}`;
  if (sum.length === 1) return { name: temporary, lines: [first] };
  const lines = sum.slice(1).map(({ sign, name }, index) => {
    const left = index === 0 ? first : `${temporary} = ${temporary}`;
    return `${left} ${sign < 0 ? '-' : '+'} ${name}`;
  });
  return { name: temporary, lines };
}
