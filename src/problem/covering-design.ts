import { computeOnce } from '../base/memo.ts';
import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';
import { belongsToClass, drawSize, type SizeClass, sizeClasses } from './size-classes.ts';

/** Limits of the products of a design. */
export interface Extent {
  /** Most multiplications, m·k·n. */
  readonly products: number;
  /** Most entries of each of A, B and C. */
  readonly entries: number;
}

/** Options of a design. */
export interface DesignOptions extends Extent {
  /** Returns true if a shape is accepted. @defaultValue all are */
  readonly takes?: ((shape: Shape) => boolean) | undefined;
}

type Sizes = [m: number, k: number, n: number];
const shapeOf = ([m, k, n]: Readonly<Sizes>): Shape => ({ m, k, n });

const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
const MODULI = { pairs: 8, single: 64 };

/** A requirement on the size of one dimension: a class, or a residue. */
interface Demand {
  readonly at: 0 | 1 | 2;
  readonly class?: number;
  readonly residue?: { readonly is: number; readonly modulus: number };
}

/** A combination of requirements that some shape must meet. */
interface Item {
  readonly code: number;
  /** The requirement on each dimension, if any. */
  readonly places: readonly (Demand | undefined)[];
  /** The first dimension with a requirement. */
  readonly first: 0 | 1 | 2;
}

const itemOf = (code: number, demands: readonly Demand[]): Item => ({
  code,
  places: [0, 1, 2].map((at) => demands.find((demand) => demand.at === at)),
  first: demands[0].at,
});

/** Number of candidates for each chosen shape, and the most where none of them is accepted. */
const CANDIDATES = 40;
const MOST_CANDIDATES = 120;

/**
 * Returns shapes that meet every pair of {@link sizeClasses} of two dimensions within the extent, every pair of residues modulo 8 of two
 * dimensions, and every residue modulo 64 of each, by products that are not empty. It is a mixed covering array of strength 2, made
 * greedily: each shape is the candidate that meets the most new combinations. Shapes that a kernel refuses are left out.
 */
export function coveringDesign(random: Random, { takes = () => true, ...extent }: DesignOptions): Shape[] {
  const items = itemsOf(extent);
  const open = new Uint8Array(CODES);
  for (const { code } of items) open[code] = 1;
  const met = meetings();
  const shapes: Shape[] = [];
  for (const item of items) {
    const { code } = item;
    if (open[code] === 0) continue;
    let [best, most]: [Readonly<Sizes> | undefined, number] = [undefined, 0];
    for (let at = 0; at < (best === undefined ? MOST_CANDIDATES : CANDIDATES); at++) {
      const sizes = candidate(random, extent, item);
      if (sizes === undefined) continue;
      const codes = met(sizes);
      const count = codes.includes(code) ? codes.reduce((sum, one) => sum + open[one], 0) : 0;
      if (count > most && takes(shapeOf(sizes))) [best, most] = [sizes, count];
    }
    open[code] = 0;
    if (best === undefined) continue;
    shapes.push(shapeOf(best));
    for (const one of met(best)) open[one] = 0;
  }
  return shapes;
}

// Codes number all combinations that shapes can meet: pairs of classes, pairs of residues, single residues.
const CLASSES = sizeClasses.length;
const RESIDUE_PAIRS = PAIRS.length * CLASSES ** 2;
const RESIDUES = RESIDUE_PAIRS + PAIRS.length * MODULI.pairs ** 2;
const CODES = RESIDUES + 3 * MODULI.single;

const ofClasses = (pair: number, i: number, j: number) => (pair * CLASSES + i) * CLASSES + j;
const ofPair = (pair: number, i: number, j: number) =>
  RESIDUE_PAIRS + (pair * MODULI.pairs + i) * MODULI.pairs + j;
const ofSingle = (at: number, is: number) => RESIDUES + at * MODULI.single + is;

function itemsOf({ products, entries }: Extent): Item[] {
  const pairs = PAIRS.flatMap(([x, y], pair): Item[] => {
    const classes = sizeClasses.flatMap((one, i) =>
      sizeClasses.flatMap((other, j): Item[] => {
        if (one.least * other.least > Math.min(products, entries)) return [];
        const demands = [
          { at: x, class: i },
          { at: y, class: j },
        ];
        return [itemOf(ofClasses(pair, i, j), demands)];
      }),
    );
    const of = (at: 0 | 1 | 2, is: number) => ({ at, residue: { is, modulus: MODULI.pairs } });
    const numbers = [...Array(MODULI.pairs).keys()];
    const residues = numbers.flatMap((i) =>
      numbers.map((j) => itemOf(ofPair(pair, i, j), [of(x, i), of(y, j)])),
    );
    return [...classes, ...residues];
  });
  const single = ([0, 1, 2] as const).flatMap((at) =>
    [...Array(MODULI.single).keys()].map((is) =>
      itemOf(ofSingle(at, is), [{ at, residue: { is, modulus: MODULI.single } }]),
    ),
  );
  return [...pairs, ...single];
}

/**
 * Returns a function that lists the codes that a shape meets. A shape with a size of 0 meets only the classes of that size, since an empty
 * product shows nothing else.
 */
function meetings(): (sizes: Readonly<Sizes>) => number[] {
  const known = new Map<number, readonly number[]>();
  const classesOf = (size: number): readonly number[] =>
    computeOnce(known, size, () => sizeClasses.flatMap((one, at) => (belongsToClass(size, one) ? [at] : [])));
  return (sizes) => {
    const isEmpty = sizes.includes(0);
    const codes: number[] = [];
    for (const [pair, [x, y]] of PAIRS.entries()) {
      if (isEmpty && sizes[x] * sizes[y] > 0) continue;
      const others = classesOf(sizes[y]);
      for (const i of classesOf(sizes[x])) for (const j of others) codes.push(ofClasses(pair, i, j));
      if (!isEmpty) codes.push(ofPair(pair, sizes[x] % MODULI.pairs, sizes[y] % MODULI.pairs));
    }
    if (!isEmpty) for (const [at, size] of sizes.entries()) codes.push(ofSingle(at, size % MODULI.single));
    return codes;
  };
}

/** One candidate in this many is a square: some kernels accept only squares. */
const SQUARE_EVERY = 8;
/** Most entries of the operands of an empty product. */
const EMPTY = 2 ** 16;

const isWithin = ([m, k, n]: Readonly<Sizes>, products: number, entries: number): boolean =>
  m * k * n <= products && m * k <= entries && m * n <= entries && k * n <= entries;

/** Draws sizes that meet an item, within the extent. Undefined where the drawn classes leave no room. */
function candidate(random: Random, extent: Extent, { places, first }: Item): Readonly<Sizes> | undefined {
  const classes: SizeClass[] = [];
  const sizes: Sizes = [1, 1, 1];
  let isEmpty = false;
  for (let at = 0; at < 3; at++) {
    const own = sizeClasses[places[at]?.class ?? random.int(0, sizeClasses.length - 1)];
    classes.push(own);
    sizes[at] = Math.max(1, own.least);
    isEmpty ||= own.most === 0;
  }
  const { products } = extent;
  const entries = isEmpty ? Math.min(EMPTY, extent.entries) : extent.entries;
  if (!isWithin(sizes, products, entries)) return undefined;
  for (const at of random.permutation(3)) {
    const [x, y] = [sizes[(at + 1) % 3], sizes[(at + 2) % 3]];
    const most = Math.floor(Math.min(products / (x * y), entries / x, entries / y));
    sizes[at] = Math.max(1, drawSize(classes[at], random, { most, ...places[at]?.residue }));
  }
  if (!isEmpty && random.int(1, SQUARE_EVERY) === 1) {
    const size = sizes[first];
    if (size ** 2 <= entries && size ** 3 <= products) return [size, size, size];
  }
  for (let at = 0; at < 3; at++) if (classes[at].most === 0) sizes[at] = 0;
  return sizes;
}
