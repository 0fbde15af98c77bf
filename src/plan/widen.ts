import type { Group, NamedTerm, SumLine } from '../algorithms/schedule.ts';

/** Blocks that one pass may read and write: the storage buffers that every WebGPU device binds at once. */
const MOST_BLOCKS = 8;

/** A value that a schedule computes, once: a name in a schedule may hold several, one after the other. */
type Value =
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'product'; readonly x: Value; readonly y: Value }
  | { readonly kind: 'sum'; readonly terms: readonly ValueTerm[] };

interface ValueTerm {
  readonly sign: 1 | -1;
  readonly value: Value;
}

type Sum = Extract<Value, { kind: 'sum' }>;
type Product = Extract<Value, { kind: 'product' }>;

/**
 * A schedule with the same operations in fewer passes and more workspace: all sums of A's blocks in one, all of B's in
 * another, then the products alone, then all of C in one. Every value has a place of its own, but products that
 * lie in C's blocks until these are complete. Each sum has the same terms as before, so C has the same bits.
 */
export function widen(groups: readonly Group[]): Group[] {
  const { products, sums, outputs } = valuesOf(groups);
  const isOf = (matrix: string) => (sum: Sum) => originOf(sum) === matrix;
  const names = new Map<Value, string>();
  const nameAll = (matrix: string, letter: string) => {
    const own = sums.filter(isOf(matrix));
    for (const [at, sum] of own.entries()) names.set(sum, `${letter}${at + 1}`);
    return own.map((sum) => lineOf(sum, names.get(sum) as string, names));
  };
  const before = [...inPasses(nameAll('A', 'S')), ...inPasses(nameAll('B', 'T'))];
  const after = finished(products, sums.filter(isOf('C')), outputs);
  const multiplied = products.map((product): Group => {
    const target = after.names.get(product) as string;
    return { product: { target, x: nameOf(product.x, names), y: nameOf(product.y, names) }, sums: [] };
  });
  return [...before, ...multiplied, ...inPasses(after.lines)];
}

/** The values of a schedule in order, and which are C's blocks in the end. */
function valuesOf(groups: readonly Group[]) {
  const held = new Map<string, Value>();
  const read = (name: string): Value => held.get(name) ?? inputOf(name);
  const inputs = new Map<string, Value>();
  const inputOf = (name: string): Value => {
    const known = inputs.get(name) ?? { kind: 'input', name };
    inputs.set(name, known);
    return known;
  };
  const products: Product[] = [];
  const sums: Sum[] = [];
  for (const group of groups) {
    if (group.product !== undefined) {
      const { target, x, y } = group.product;
      const product: Product = { kind: 'product', x: read(x), y: read(y) };
      products.push(product);
      held.set(target, product);
    }
    for (const { target, terms } of group.sums) {
      const sum: Sum = { kind: 'sum', terms: terms.map(({ sign, name }) => ({ sign, value: read(name) })) };
      sums.push(sum);
      held.set(target, sum);
    }
  }
  const outputs = new Map(
    [...held].filter(([name]) => name.startsWith('C')).map(([name, value]) => [value, name]),
  );
  return { products, sums, outputs };
}

/** The matrix whose blocks a value is shaped like. */
function originOf(value: Value): string {
  if (value.kind === 'input') return value.name[0];
  return value.kind === 'product' ? 'C' : originOf(value.terms[0].value);
}

const nameOf = (value: Value, names: ReadonlyMap<Value, string>): string =>
  value.kind === 'input' ? value.name : (names.get(value) as string);

const lineOf = ({ terms }: Sum, target: string, names: ReadonlyMap<Value, string>): SumLine => ({
  target,
  terms: terms.map(({ sign, value }): NamedTerm => ({ sign, name: nameOf(value, names) })),
});

/** Sums in as few passes as the blocks that one may bind allow. */
function inPasses(lines: readonly SumLine[]): Group[] {
  const passes: { names: Set<string>; sums: SumLine[] }[] = [];
  for (const line of lines) {
    const used = [line.target, ...line.terms.map(({ name }) => name)];
    const last = passes[passes.length - 1];
    if (last !== undefined && new Set([...last.names, ...used]).size <= MOST_BLOCKS) {
      last.sums.push(line);
      for (const name of used) last.names.add(name);
    } else passes.push({ names: new Set(used), sums: [line] });
  }
  return passes.map(({ sums }) => ({ sums }));
}

interface Finish {
  /** Where each product is stored. */
  readonly names: ReadonlyMap<Value, string>;
  readonly lines: readonly SumLine[];
}

/** The sums of products, with as many of these as can be in blocks of C, which then need no place of their own. */
function finished(
  products: readonly Product[],
  sums: readonly Sum[],
  outputs: ReadonlyMap<Value, string>,
): Finish {
  const free = [...outputs].filter(([value]) => value.kind === 'sum').map(([, name]) => name);
  const fixed = new Map([...outputs].filter(([value]) => value.kind === 'product'));
  for (let inC = Math.min(free.length, products.length); inC >= 0; inC--) {
    for (const chosen of placements(
      free.slice(0, inC),
      products.filter((product) => !fixed.has(product)),
    )) {
      const names = new Map<Value, string>([...fixed, ...chosen]);
      let own = 0;
      for (const product of products) if (!names.has(product)) names.set(product, `P${++own}`);
      const lines = inPlace(sums, names, outputs);
      if (lines !== undefined) return { names, lines };
    }
  }
  throw new Error('The sums of products need more places than the products have.');
}

/** Every way to give each name a product of its own. */
function* placements(names: readonly string[], products: readonly Product[]): Generator<[Product, string][]> {
  const [name, ...rest] = names;
  if (name === undefined) yield [];
  else {
    for (const product of products) {
      for (const others of placements(
        rest,
        products.filter((other) => other !== product),
      )) {
        yield [[product, name], ...others];
      }
    }
  }
}

/**
 * The sums, each in the place of a term that is not needed any more, or in its block of C. Undefined where that still
 * holds something else.
 */
function inPlace(
  sums: readonly Sum[],
  products: ReadonlyMap<Value, string>,
  outputs: ReadonlyMap<Value, string>,
): SumLine[] | undefined {
  const names = new Map(products);
  const lines: SumLine[] = [];
  for (const [at, sum] of sums.entries()) {
    const isNeeded = (value: Value) =>
      outputs.has(value) ||
      sums.slice(at + 1).some(({ terms }) => terms.some((term) => term.value === value));
    const dying = sum.terms.map(({ value }) => value).find((value) => !isNeeded(value));
    const target = outputs.get(sum) ?? (dying && names.get(dying));
    if (target === undefined) return undefined;
    const occupants = [...names].filter(([value, name]) => name === target && isNeeded(value));
    if (occupants.length > 0) return undefined;
    lines.push(lineOf(sum, target, names));
    for (const [value, name] of names) if (name === target) names.delete(value);
    names.set(sum, target);
  }
  return lines;
}
