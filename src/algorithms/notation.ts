import { computeOnce } from '../base/memo.ts';
import { type Algorithm, type BlockGrid, blockName, parseBlockName } from './algorithm.ts';
import { isDyadic, parseFactor } from './coefficient.ts';
import { badAlgorithm } from './messages.ts';
import { scheduleFromTable } from './schedule.ts';

/** The matrix to which a block belongs, or whose blocks have the shape of a value: A is m×k, B is k×n, C is m×n. */
export type Role = 'A' | 'B' | 'C';

/** A value times a rational factor. */
export interface ValueTerm {
  readonly factor: number;
  /** An index into the values. */
  readonly of: number;
}

interface Named {
  readonly role: Role;
  /** Its name in the schedule, where it is written or read. */
  readonly written: string;
}

/** A given block. */
type InputValue = Named & { readonly kind: 'input'; readonly row: number; readonly col: number };
/** A value that a schedule reads before it writes it, so that its contents are undefined. */
type UndefinedValue = Named & { readonly kind: 'unwritten' };
type ProductValue = Named & { readonly kind: 'product'; readonly x: number; readonly y: number };
/** A sum of terms, added from the left, with one rounding for each addition. */
type SumValue = Named & { readonly kind: 'sum'; readonly terms: readonly ValueTerm[] };

/** A value of a schedule, assigned once. One name in the schedule may hold several values in turn. */
export type ScheduleValue = InputValue | UndefinedValue | ProductValue | SumValue;

/** Returns the operands of a value. */
export function listOperands(value: ScheduleValue): readonly number[] {
  if (value.kind === 'product') return [value.x, value.y];
  return value.kind === 'sum' ? value.terms.map(({ of }) => of) : [];
}

/** The values of one level of an algorithm. */
export interface ScheduleValues {
  readonly all: readonly ScheduleValue[];
  /** The values of each launch, in order: a product or none, then sums; indices into `all`. */
  readonly groups: readonly (readonly number[])[];
  /** The final value of each block of C, row by row of the grid. */
  readonly outputs: readonly number[];
}

const known = new WeakMap<Algorithm, ScheduleValues>();

/**
 * Returns the values of an algorithm's schedule, or of the one that its table gives. They are read once for each algorithm.
 * @throws ParanoiaError `bad-algorithm` for a line that is neither a product nor a sum.
 */
export const scheduleValuesOf = (algorithm: Algorithm): ScheduleValues =>
  computeOnce(known, algorithm, () =>
    readSchedule(algorithm, algorithm.schedule ?? scheduleFromTable(algorithm)),
  );

/**
 * Returns the values of a schedule.
 * @throws ParanoiaError `bad-algorithm` for a line that is neither a product nor a sum.
 */
function readSchedule(algorithm: Algorithm, schedule: readonly (readonly string[])[]): ScheduleValues {
  const reader = new Reader(algorithm);
  const groups = schedule.map((lines) => lines.map((line, at) => reader.line(line, at === 0)));
  const { m, n } = algorithm.base;
  const outputs = Array.from({ length: m * n }, (_, at) =>
    reader.read(blockName('C', Math.floor(at / n), at % n)),
  );
  return { all: reader.all, groups, outputs };
}

const NAME = /^[A-Z][A-Za-z]*(?:\d+(?:,\d+)?)?$/;

class Reader {
  readonly all: ScheduleValue[] = [];
  /** The current value of each name. */
  private readonly held = new Map<string, number>();
  private readonly algorithm: Algorithm;

  constructor(algorithm: Algorithm) {
    this.algorithm = algorithm;
  }

  /** Returns the value of a name. A's and B's blocks exist from the beginning. */
  read(name: string): number {
    const held = this.held.get(name);
    if (held !== undefined) return held;
    const block = parseBlockName(name);
    const isInput = block !== undefined && block.matrix !== 'C';
    if (isInput) this.requireInGrid(name, block);
    return this.put(
      name,
      isInput
        ? { kind: 'input', role: block.matrix, written: name, row: block.row, col: block.col }
        : { kind: 'unwritten', role: 'C', written: name },
    );
  }

  line(line: string, mayMultiply: boolean): number {
    const [target, right, ...more] = line.split(' = ');
    if (right === undefined || more.length > 0 || !this.isTarget(target)) throw this.unreadable(line);
    const [x, y, ...rest] = right.split(' * ');
    if (y !== undefined && mayMultiply && rest.length === 0 && NAME.test(x) && NAME.test(y)) {
      const product = { x: this.read(x), y: this.read(y) };
      return this.put(target, { kind: 'product', role: 'C', written: target, ...product });
    }
    const terms = parseSum(right)?.map(({ factor, name }) => ({ factor, of: this.read(name) }));
    if (terms === undefined) throw this.unreadable(line);
    const { role } = this.all[terms[0].of];
    return this.put(target, { kind: 'sum', role, written: target, terms });
  }

  private isTarget(name: string): boolean {
    const block = parseBlockName(name);
    if (block !== undefined) this.requireInGrid(name, block);
    return NAME.test(name) && (block === undefined ? !/^[ABC]\d/.test(name) : block.matrix === 'C');
  }

  private put(name: string, value: ScheduleValue): number {
    this.held.set(name, this.all.push(value) - 1);
    return this.all.length - 1;
  }

  private requireInGrid(
    name: string,
    { matrix, row, col }: { matrix: Role; row: number; col: number },
  ): void {
    const { m, k, n } = this.algorithm.base;
    const [rows, cols] = { A: [m, k], B: [k, n], C: [m, n] }[matrix];
    if (row >= 0 && row < rows && col >= 0 && col < cols) return;
    throw badAlgorithm({
      name: this.algorithm.name,
      why: `${matrix} has no block ${name}; it has ${rows}×${cols} blocks`,
    });
  }

  private unreadable(line: string): Error {
    const why = `the line "${line}" of its schedule is neither a sum such as "T = 2*X - Y" nor a product such as "T = X * Y" at the start of a group`;
    return badAlgorithm({ name: this.algorithm.name, why });
  }
}

/** Reads the terms of `-A11 + 2*A12 - 1/2*T1`. Undefined for anything else. */
export function parseSum(text: string): { readonly factor: number; readonly name: string }[] | undefined {
  const pieces = text
    .trim()
    .replace(/^(?![+-])/, '+')
    .split(/\s*([+-])\s*/);
  const terms: { factor: number; name: string }[] = [];
  for (let at = 1; at < pieces.length; at += 2) {
    const [, factor, name] = /^(?:([\d./]+)\s*\*\s*)?(\S+)$/.exec(pieces[at + 1]) ?? [];
    const size = factor === undefined ? 1 : parseFactor(factor);
    if (name === undefined || !NAME.test(name) || !(size > 0 && Number.isFinite(size))) return undefined;
    terms.push({ factor: pieces[at] === '-' ? -size : size, name });
  }
  return pieces[0] === '' && terms.length > 0 ? terms : undefined;
}

/**
 * Reads a table from its products and sums: `(A11 + 2*A12) * B22`, and for each block of C, row by row, `M1 - M4`.
 * @throws ParanoiaError `bad-algorithm` for a text that is neither.
 */
export function parseAlgorithmTable(
  name: string,
  base: BlockGrid,
  products: readonly string[],
  blocks: readonly string[],
): Pick<Algorithm, 'base' | 'u' | 'v' | 'w'> {
  const unreadable = (text: string) => badAlgorithm({ name, why: `its table cannot be read at "${text}"` });
  const row = (text: string, matrix: 'A' | 'B', cols: number, length: number) => {
    const factors = new Array<number>(length).fill(0);
    for (const term of parseSum(text) ?? []) {
      const block = parseBlockName(term.name);
      if (block?.matrix !== matrix || block.col >= cols) throw unreadable(text);
      factors[block.row * cols + block.col] = term.factor;
    }
    if (factors.length !== length || factors.every((factor) => factor === 0)) throw unreadable(text);
    return factors;
  };
  const { m, k, n } = base;
  const bare = (text: string) => text.replace(/^\(|\)$/g, '');
  const factors = products.map((text) => {
    const [x, y, ...rest] = text.split(/ \* (?=\(|[^()]*$)/);
    if (y === undefined || rest.length > 0) throw unreadable(text);
    return { u: row(bare(x), 'A', k, m * k), v: row(bare(y), 'B', n, k * n) };
  });
  const w = products.map(() => new Array<number>(m * n).fill(0));
  if (blocks.length !== m * n) throw unreadable(blocks.join('; '));
  for (const [block, text] of blocks.entries()) {
    const terms = parseSum(text);
    if (terms === undefined) throw unreadable(text);
    for (const term of terms) {
      const r = Number(/^M(\d+)$/.exec(term.name)?.[1]) - 1;
      if (w[r] === undefined) throw unreadable(text);
      w[r][block] = term.factor;
    }
  }
  return { base, u: factors.map(({ u }) => u), v: factors.map(({ v }) => v), w };
}

const knownFractions = new WeakMap<Algorithm, ReadonlySet<number>>();

/**
 * Returns the coefficients of an algorithm's table and schedule that formats do not hold, such as 1/3. The result is the same object each
 * time.
 */
export const fractionsOf = (algorithm: Algorithm): ReadonlySet<number> =>
  computeOnce(knownFractions, algorithm, fractionsIn);

function fractionsIn(algorithm: Algorithm): ReadonlySet<number> {
  const { u, v, w, schedule } = algorithm;
  const scheduled = schedule === undefined ? [] : scheduleValuesOf(algorithm).all;
  const factors = scheduled.flatMap((value) =>
    value.kind === 'sum' ? value.terms.map(({ factor }) => factor) : [],
  );
  return new Set([...[u, v, w].flat(2), ...factors].filter((factor) => !isDyadic(factor)));
}
