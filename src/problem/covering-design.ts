import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';
import { belongs, drawSize, sizeClasses } from './size-classes.ts';

/** How large the products of a design may be. */
export interface Extent {
  /** Multiplications, m·k·n. */
  readonly products: number;
  /** Entries of each of A, B and C. */
  readonly entries: number;
}

/** What a design is made of. */
export interface DesignOptions extends Extent {
  /** Which shapes are taken. @defaultValue all */
  readonly takes?: ((shape: Shape) => boolean) | undefined;
}

type Sizes = [m: number, k: number, n: number];
const shapeOf = ([m, k, n]: Readonly<Sizes>): Shape => ({ m, k, n });

/** Two dimensions of three. */
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
const MODULI = { pairs: 8, single: 64 };

/** What the size of one dimension is to be: of a class, or congruent to a number. */
interface Demand {
  readonly at: 0 | 1 | 2;
  readonly class?: number;
  readonly residue?: { readonly is: number; readonly modulus: number };
}

/** What some shape is to meet. */
type Item = readonly Demand[];

/** Candidates that are looked at for each shape that is taken, and at most, where none of them is taken. */
const CANDIDATES = 40;
const MOST_CANDIDATES = 120;

/**
 * Shapes of which some meet every pair of {@link sizeClasses} of two dimensions that the extent leaves room for, every pair
 * of residues modulo 8 of two dimensions, and every residue modulo 64 of each, by products that are not empty: a mixed covering array of strength 2, made
 * greedily, each shape the one of some candidates that meets the most that none before it has met. What a kernel does not
 * take is left out.
 */
export function coveringDesign(random: Random, { takes = () => true, ...extent }: DesignOptions): Shape[] {
  const open = itemsOf(extent);
  const shapes: Shape[] = [];
  for (const [key, item] of open) {
    let [best, most]: [Readonly<Sizes> | undefined, number] = [undefined, 0];
    for (let at = 0; at < (best === undefined ? MOST_CANDIDATES : CANDIDATES); at++) {
      const sizes = candidate(random, extent, item);
      if (sizes === undefined) continue;
      const met = metBy(sizes);
      const count = met.includes(key) ? met.filter((one) => open.has(one)).length : 0;
      if (count > most && takes(shapeOf(sizes))) [best, most] = [sizes, count];
    }
    open.delete(key);
    if (best === undefined) continue;
    shapes.push(shapeOf(best));
    for (const one of metBy(best)) open.delete(one);
  }
  return shapes;
}

/** All that is to be met, by a name for each. */
function itemsOf({ products, entries }: Extent): Map<string, Item> {
  const items: Item[] = PAIRS.flatMap(([x, y]) => {
    const classes = sizeClasses.flatMap((one, i) =>
      sizeClasses.flatMap((other, j): Item[] =>
        one.least * other.least <= Math.min(products, entries)
          ? [
              [
                { at: x, class: i },
                { at: y, class: j },
              ],
            ]
          : [],
      ),
    );
    const of = (at: 0 | 1 | 2, is: number) => ({ at, residue: { is, modulus: MODULI.pairs } });
    const numbers = [...Array(MODULI.pairs).keys()];
    return [...classes, ...numbers.flatMap((i) => numbers.map((j) => [of(x, i), of(y, j)]))];
  });
  const single = ([0, 1, 2] as const).flatMap((at) =>
    [...Array(MODULI.single).keys()].map((is) => [{ at, residue: { is, modulus: MODULI.single } }]),
  );
  return new Map([...items, ...single].map((item) => [nameOf(item), item]));
}

const nameOf = (item: Item) =>
  item
    .map(
      ({ at, class: of, residue }) =>
        `${at} ${residue === undefined ? of : `${residue.is} mod ${residue.modulus}`}`,
    )
    .join();

/** The names of what a shape meets; where a size is 0, that it is, and no more: such a product shows nothing of the others. */
function metBy(sizes: Readonly<Sizes>): string[] {
  const classes = sizes.map((size) => sizeClasses.flatMap((one, at) => (belongs(size, one) ? [at] : [])));
  if (sizes.includes(0)) {
    return PAIRS.filter(([x, y]) => sizes[x] * sizes[y] === 0).flatMap(([x, y]) =>
      classes[x].flatMap((i) => classes[y].map((j) => `${x} ${i},${y} ${j}`)),
    );
  }
  const residue = (at: number, modulus: number) => `${at} ${sizes[at] % modulus} mod ${modulus}`;
  return [
    ...PAIRS.flatMap(([x, y]) => [
      ...classes[x].flatMap((i) => classes[y].map((j) => `${x} ${i},${y} ${j}`)),
      `${residue(x, MODULI.pairs)},${residue(y, MODULI.pairs)}`,
    ]),
    ...sizes.map((_, at) => residue(at, MODULI.single)),
  ];
}

/** One candidate in so many is a square: some kernels take nothing else. */
const SQUARE_EVERY = 8;
/** Entries of operands that nothing is computed of. */
const EMPTY = 2 ** 16;

/** Sizes that meet an item, within the extent; undefined where the classes drawn for them leave no room. */
function candidate(random: Random, extent: Extent, item: Item): Readonly<Sizes> | undefined {
  const demands = [0, 1, 2].map((at) => item.find((demand) => demand.at === at));
  const classes = demands.map(
    (demand) => sizeClasses[demand?.class ?? random.int(0, sizeClasses.length - 1)],
  );
  const isEmpty = classes.some(({ most }) => most === 0);
  const { products } = extent;
  const entries = isEmpty ? Math.min(EMPTY, extent.entries) : extent.entries;
  const sizes = classes.map(({ least }) => Math.max(1, least)) as Sizes;
  const isWithin = () =>
    sizes[0] * sizes[1] * sizes[2] <= products && PAIRS.every(([x, y]) => sizes[x] * sizes[y] <= entries);
  if (!isWithin()) return undefined;
  for (const at of random.permutation(3)) {
    const [x, y] = [0, 1, 2].filter((other) => other !== at).map((other) => sizes[other]);
    const most = Math.floor(Math.min(products / (x * y), entries / x, entries / y));
    sizes[at] = Math.max(1, drawSize(classes[at], random, { most, ...demands[at]?.residue }));
  }
  if (!isEmpty && random.int(1, SQUARE_EVERY) === 1) {
    const size = sizes[item[0].at];
    if (size ** 2 <= entries && size ** 3 <= products) return [size, size, size];
  }
  return sizes.map((size, at) => (classes[at].most === 0 ? 0 : size)) as Sizes;
}
