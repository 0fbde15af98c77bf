import { Memo } from '../base/memo.ts';
import { type Item, type Registry, registryOf } from '../base/registry.ts';

/** A triangle of a matrix, diagonal included. */
export type Triangle = 'lower' | 'upper';

/**
 * The structure of a product, as a level-3 operation of BLAS has it: what is stored of its operands, and which part of D is written. It is
 * judged as the product of full matrices that stands for it.
 */
export interface Structure extends Item {
  /** The operation of BLAS: `syrk`. */
  readonly operation: string;
  /** Two sizes that are equal. */
  readonly equal: readonly [kept: 'm' | 'k' | 'n', made: 'm' | 'k' | 'n'];
  /** The ops that the operands may have besides none. `as-a`: that of A. */
  readonly ops: { readonly a: OpRule; readonly b: OpRule | 'as-a' };
  /** The operand of which memory holds a triangle. The rest is its mirror image or 0, and a unit diagonal is not read. */
  readonly reads?: {
    readonly of: 'a' | 'b';
    readonly triangle: Triangle;
    readonly rest: 'mirrored' | 'zero';
    readonly isUnit: boolean;
  };
  /** `itself`: op(B) is the transpose of op(A), and B is not stored. `swapped`: D also gets B·Aᵀ beside A·Bᵀ, and B has A's shape. */
  readonly second?: 'itself' | 'swapped';
  /** The only triangle of C that is read, and of D that is written. @defaultValue all of C and D */
  readonly writes?: Triangle;
  /** True if its transposes are conjugate, and its diagonals real. */
  readonly isHermitian: boolean;
  /** The factors that it has: `real` ones of Hermitian results, no beta where D overwrites the dense operand. */
  readonly alpha: 'any' | 'real' | 'axis';
  readonly beta: 'any' | 'real' | 'none';
}

/** An op: any, only transposes, only conjugate transposes, or none. */
export type OpRule = 'any' | 't' | 'c' | 'n';

type Shared = Omit<Structure, 'name' | 'what' | 'source' | 'writes' | 'reads'>;

const SOURCE = 'Dongarra, Du Croz, Hammarling, Duff: A set of level 3 basic linear algebra subprograms, 1990';
const triangles = ['lower', 'upper'] as const;
const factors = { alpha: 'any', beta: 'any' } as const;
const square = { equal: ['m', 'n'], isHermitian: false, ...factors } as const;

/** Operations of which one triangle of D is written. */
const updates: readonly (Shared & Pick<Item, 'what' | 'source'>)[] = [
  {
    ...{ operation: 'gemmt', what: 'α·op(A)·op(B) + β·C', source: 'Intel MKL, BLAS-like extensions' },
    ...{ ...square, ops: { a: 'any', b: 'any' } },
  },
  {
    ...{ operation: 'syrk', what: 'α·A·Aᵀ + β·C', source: SOURCE },
    ...{ ...square, ops: { a: 't', b: 'n' }, second: 'itself' },
  },
  {
    ...{ operation: 'herk', what: 'α·A·Aᴴ + β·C', source: SOURCE, ...square, isHermitian: true },
    ...{ ops: { a: 'c', b: 'n' }, second: 'itself', alpha: 'real', beta: 'real' },
  },
  {
    ...{ operation: 'syr2k', what: 'α·(A·Bᵀ + B·Aᵀ) + β·C', source: SOURCE },
    ...{ ...square, ops: { a: 't', b: 'as-a' }, second: 'swapped' },
  },
  {
    ...{ operation: 'her2k', what: 'α·A·Bᴴ + ᾱ·B·Aᴴ + β·C', source: SOURCE, ...square, isHermitian: true },
    ...{ ops: { a: 'c', b: 'as-a' }, second: 'swapped', alpha: 'axis', beta: 'real' },
  },
];

const one = (writes: Triangle) => `Of ${writes === 'lower' ? 'a lower' : 'an upper'} triangle: `;

/** An operation with a matrix of which one triangle is stored, on either side of a dense one. */
const sided = (
  operation: string,
  noun: string,
  rest: 'mirrored' | 'zero',
  more: Pick<Structure, 'isHermitian' | 'beta'>,
  isUnit = false,
): Structure[] =>
  (['left', 'right'] as const).flatMap((side) =>
    triangles.map((triangle): Structure => {
      const of = side === 'left' ? 'a' : 'b';
      const op: OpRule = rest === 'zero' ? 'any' : 'n';
      return {
        name: `${operation}-${side}-${triangle}${isUnit ? '-unit' : ''}`,
        what: `${of.toUpperCase()} is ${noun}, stored as its ${triangle} triangle${isUnit ? ' without the diagonal of ones' : ''}`,
        ...{ source: SOURCE, operation, alpha: 'any', ...more },
        equal: side === 'left' ? ['m', 'k'] : ['n', 'k'],
        ops: { a: of === 'a' ? op : 'n', b: of === 'b' ? op : 'n' },
        reads: { of, triangle, rest, isUnit },
      };
    }),
  );

const whole = { isHermitian: false, beta: 'any' } as const;
const inPlace = { isHermitian: false, beta: 'none' } as const;

/** The structures of products, by operation, side, triangle and diagonal: `trmm-left-upper-unit`. */
export const structures: Registry<Structure> = registryOf<Structure>('structure', [
  ...updates.flatMap(({ what, ...shared }) =>
    triangles.map((writes) => ({
      ...{ name: `${shared.operation}-${writes}`, what: `${one(writes)}${what}`, ...shared, writes },
    })),
  ),
  ...sided('symm', 'symmetric', 'mirrored', whole),
  ...sided('hemm', 'Hermitian', 'mirrored', { ...whole, isHermitian: true }),
  ...sided('trmm', 'triangular', 'zero', inPlace),
  ...sided('trmm', 'triangular', 'zero', inPlace, true),
]);

/** The structure of a product of dense matrices. */
export const GENERAL = 'general';

/** The names of all structures, `general` first. */
export const structureNames: readonly string[] = [GENERAL, ...structures.names];

/** Returns the structure of a product; undefined for a general one. */
export const structureOf = ({
  structure = GENERAL,
}: {
  readonly structure?: string | undefined;
}): Structure | undefined => (structure === GENERAL ? undefined : structures.find(structure));

/**
 * Reads a list of structures, with | between them. A `*` matches any characters: `general|syrk-*`.
 * @returns undefined where a part of the list names none
 */
export const readStructures = (text = GENERAL): readonly string[] | undefined =>
  known.get(text, () => namesIn(text));

/** The structures of texts: a campaign asks for those of its kernels with every case. */
const known = new Memo<readonly string[] | undefined>(16);

function namesIn(text: string): readonly string[] | undefined {
  const found = text.split('|').map((part) => {
    const pieces = part.trim().split('*');
    const matches = (name: string) =>
      pieces.length === 1
        ? name === pieces[0]
        : name.startsWith(pieces[0]) &&
          name.endsWith(pieces.at(-1) as string) &&
          pieces.every((piece) => name.includes(piece));
    return structureNames.filter(matches);
  });
  return found.some(({ length }) => length === 0) ? undefined : [...new Set(found.flat())];
}

/** True if an entry lies in a triangle, diagonal included. */
export const isInTriangle = (triangle: Triangle, i: number, j: number): boolean =>
  triangle === 'lower' ? i >= j : i <= j;

/** Returns the triangle in which the transpose has its entries. */
export const otherTriangle = (triangle: Triangle): Triangle => (triangle === 'lower' ? 'upper' : 'lower');
