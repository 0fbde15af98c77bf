import { imaginaryPart } from '../../matrix/factor.ts';
import type { FlatCase, Storage } from '../../problem/problem.ts';

/** A numeric property of cases. Its description follows "with". */
export interface NumberTrait {
  readonly name: string;
  readonly of: (all: FlatCase) => number;
  /** True if its residues and single values are examined. */
  readonly isSize: boolean;
  /** Prior cost of the clause, in bits: higher for less likely properties. */
  readonly cost: number;
}

const size = (name: 'm' | 'k' | 'n'): NumberTrait => ({
  name,
  of: (all) => all[name],
  isSize: true,
  cost: 0,
});
const product = (name: string, of: NumberTrait['of']): NumberTrait => ({
  name,
  of,
  isSize: false,
  cost: 1.5,
});

/** The numbers in rules. */
export const numberTraits: readonly NumberTrait[] = [
  ...(['k', 'm', 'n'] as const).map(size),
  product('m·n', ({ m, n }) => m * n),
  product('m·k', ({ m, k }) => m * k),
  product('k·n', ({ k, n }) => k * n),
  product('m·k·n', ({ m, k, n }) => m * k * n),
  { name: 'levels', of: ({ levels }) => levels, isSize: false, cost: 0 },
  { name: 'a batch', of: ({ batch }) => batch, isSize: false, cost: 0.5 },
];

/** A property that a case has or lacks. */
export interface Trait {
  readonly says: string;
  readonly holds: (all: FlatCase) => boolean;
  readonly cost?: number;
  /** True for an end of a range that lies somewhere between two cases. */
  readonly isEnd?: boolean;
}

const yes = (says: string, holds: Trait['holds'], cost = 0): Trait => ({ says, holds, cost });
const isPlain = ({ op, order, pad, inc = 1, offset, gap }: Storage) =>
  op === 'n' && order === 'row' && pad === 0 && inc === 1 && offset === 0 && gap === 0;
const isTurned = ({ op }: Storage) => op !== 'n';

/** Properties of the memory layout of one matrix. */
const storageTraits = (['a', 'b', 'c'] as const).flatMap((name): Trait[] => {
  const X = name.toUpperCase();
  return [
    ...(name === 'c'
      ? []
      : [
          yes(`${X} transposed`, (all) => isTurned(all[name])),
          yes(`${X} not transposed`, (all) => !isTurned(all[name]), 0.5),
        ]),
    yes(`column-major ${X}`, ({ [name]: { order } }) => order === 'column'),
    yes(`row-major ${X}`, ({ [name]: { order } }) => order === 'row', 1),
    yes(`a padded leading dimension of ${X}`, ({ [name]: { pad } }) => pad > 0),
    yes(`an increment of ${X}`, ({ [name]: { inc = 1 } }) => inc > 1),
    yes(`an offset of ${X}`, ({ [name]: { offset } }) => offset > 0),
    yes(`gaps between the ${X} of a batch`, ({ [name]: { gap } }) => typeof gap === 'number' && gap > 0, 0.5),
    yes(`one ${X} for a batch`, ({ [name]: { gap } }) => gap === 'same'),
    yes(`interleaved ${X} of a batch`, ({ [name]: { gap } }) => gap === 'interleaved'),
    yes(`${X} by a list of addresses`, ({ [name]: { gap } }) => gap === 'listed'),
    yes(`${X} not packed row-major`, (all) => !isPlain(all[name]), 0.5),
  ];
});

/** A whole program, or a sweep, before the product. */
export const inProgram = yes('a call sequence', ({ program, sweep }) => program + sweep > 0);

/** Properties in rules besides numbers. Values of names are added as they occur. */
export const traits: readonly Trait[] = [
  ...storageTraits,
  inProgram,
  yes('alpha ≠ 1', ({ alpha }) => alpha !== 1),
  yes('alpha other than 0 and 1', ({ alpha }) => alpha !== 0 && alpha !== 1, 0.5),
  yes('alpha = 1', ({ alpha }) => alpha === 1, 0.5),
  yes('alpha = 0', ({ alpha }) => alpha === 0, 0.5),
  yes('beta ≠ 0', ({ beta }) => beta !== 0),
  yes('beta = 0', ({ beta }) => beta === 0, 0.5),
  yes('alpha with an imaginary part', ({ alpha }) => imaginaryPart(alpha) !== 0),
  yes('beta with an imaginary part', ({ beta }) => imaginaryPart(beta) !== 0),
  yes('beta other than 0 and 1', ({ beta }) => beta !== 0 && beta !== 1, 0.5),
  yes('several products in a batch', ({ batch }) => batch > 1),
  yes('a single product', ({ batch }) => batch === 1, 1),
  yes('products of different shapes together', ({ group }) => group > 1),
  yes('D separate from C', ({ d }) => d !== undefined),
  yes('D in place of C', ({ d }) => d === undefined, 1),
  yes('m = n', ({ m, n }) => m === n, 0.5),
  yes('m ≠ n', ({ m, n }) => m !== n, 0.5),
  yes('k = n', ({ k, n }) => k === n, 0.5),
  yes('k ≠ n', ({ k, n }) => k !== n, 0.5),
  yes('m = k', ({ m, k }) => m === k, 0.5),
  yes('m ≠ k', ({ m, k }) => m !== k, 0.5),
  yes('m > n', ({ m, n }) => m > n, 0.5),
  yes('m < n', ({ m, n }) => m < n, 0.5),
  yes('k > n', ({ k, n }) => k > n, 0.5),
  yes('k < n', ({ k, n }) => k < n, 0.5),
  yes('k > m', ({ k, m }) => k > m, 0.5),
  yes('k < m', ({ k, m }) => k < m, 0.5),
  yes('inputs that the gate changed (such as edit=nan:row)', ({ edit }) => edit !== 'none'),
];

/** Names that cases have. Each value is a property of its own. */
export const nameTraits: readonly (readonly [name: string, of: (all: FlatCase) => string])[] = [
  ['input', ({ input }) => input],
  ['precision', ({ precision }) => precision],
  ['fringe', ({ fringe }) => fringe],
  ['tail', ({ tail }) => tail],
  ['edit', ({ edit }) => edit],
  ['alpha', ({ alpha }) => String(alpha)],
  ['beta', ({ beta }) => String(beta)],
];
