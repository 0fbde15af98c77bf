import * as z from 'zod/mini';
import { directions } from '../algorithms/bilinear-table.ts';
import { ParanoiaError } from '../base/errors.ts';
import { hintOf, nearest } from '../base/nearest.ts';
import { isFunction, isRecord, lookUp } from '../base/objects.ts';
import { formatValue } from '../base/plain-words.ts';
import { readChains } from '../epilogue/chain-text.ts';
import type { Shape } from '../matrix/dense.ts';
import { type Features, features } from '../matrix/features.ts';
import { readStructures, structureNames } from '../matrix/structure.ts';
import { type Style, styles } from '../plan/plan.ts';
import {
  type ActivationClaims,
  activationSchemes,
  codeTies,
  divisions,
} from '../precision/activations/schemes.ts';
import {
  type Accumulator,
  type ArithmeticClaims,
  compensations,
  type Flushing,
  type OperandArithmetic,
  overflows,
  type ResultArithmetic,
  roundings,
  zeroPointPlaces,
} from '../precision/arithmetic.ts';
import { type PartialSums, partialFormats } from '../precision/claimed-rounding.ts';
import { cuts, orders, type SumPartition } from '../precision/sums.ts';
import { parsePattern } from '../problem/case.ts';
import { claimedFringes } from '../readers/partition.ts';
import type { Recursion } from '../readers/recursion.ts';

/**
 * A record about one property that a kernel may state. From it follow TypeScript's type, the check of statements in TypeScript, Python,
 * WGSL and workers, the sentence of a refusal, and the page of the reference. The docblock of a record gives its meaning and its default,
 * which editors show and web pages need not load.
 */
export interface StatementRecord<T = unknown> {
  /** Its valid values, as the end of "must be …". */
  readonly need: string;
  readonly type: z.ZodMiniType<T>;
  /** Its valid words, if any. */
  readonly words?: readonly string[];
  /** Explains why a value of the right type is wrong, as the end of "its … "; undefined where it is not. */
  readonly whyWrong?: (value: unknown) => string | undefined;
  /** The records of its keys, where it is an object itself. */
  readonly within?: Readonly<Record<string, StatementRecord>>;
}

/** Lists words as a clause: "a, b or c", and more than three as "one of (a, b, c, d)". */
const listed = (words: readonly string[]): string =>
  words.length > 3 ? `one of (${words.join(', ')})` : words.join(', ').replace(/, ([^,]*)$/, ' or $1');

const words = <const W extends string>(all: readonly W[]): StatementRecord<W> => ({
  ...{ words: all, need: listed(all), type: z.enum(all as readonly [W, ...W[]]) as z.ZodMiniType<W> },
});

const flag: StatementRecord<boolean> = { need: 'true or false', type: z.boolean() };

const count = (least: number, most: number, need: string): StatementRecord<number> => ({
  ...{ need, type: z.int().check(z.gte(least), z.lte(most)) },
});
const MOST = 2 ** 31;
const terms = count(1, MOST, 'a whole number of terms, at least 1');

/** An object whose keys may be left out, except those that `type` needs. */
const within = <T>(
  parts: { readonly [K in keyof Required<T>]: StatementRecord<NonNullable<T[K]>> },
  need = 'an object',
  type: z.ZodMiniType = z.custom(isRecord),
): StatementRecord<T> => ({ need, type: type as z.ZodMiniType<T>, within: parts });

/** One of some words, or an object with all its keys. */
const wordsOr = <W extends string, T>(
  all: readonly [W, ...W[]],
  parts: { readonly [K in keyof Required<T>]: StatementRecord<NonNullable<T[K]>> },
): StatementRecord<W | T> => {
  const keys = Object.keys(parts);
  const isWhole = (value: unknown) =>
    isRecord(value) && keys.every((key) => lookUp(value, key) !== undefined);
  const type = z.union([z.enum(all), z.custom<T>(isWhole)]);
  return { ...within(parts, `${all.join(', ')} or { ${keys.join(', ')} }`, type), words: all };
};

/** The levels that a kernel may claim for a shape. */
export const levelsOfShape = count(0, 15, 'a whole number from 0 to 15');

export const claimRecords = {
  /**
   * The name of an algorithm, such as `strassen`; for complex precisions also `3m`, and `4m`, which is classical.
   * @defaultValue classical
   */
  algorithm: { need: 'the name of an algorithm', type: z.string() },
  /**
   * Levels of recursion. In TypeScript also a function of a shape, for implementations that stop recursing below a size.
   * @defaultValue 0 for `classical`, 1 for the others
   */
  levels: {
    need: levelsOfShape.need,
    type: z.union([levelsOfShape.type, z.custom<(shape: Shape) => number>(isFunction)]),
  },
  /**
   * The recursion of a fast algorithm. Its bound is then that of this partition. Without a schedule, the bound holds for every order of
   * its sums.
   * @defaultValue any recursion, which makes its bound the same for every entry
   */
  recursion: within<Recursion>(
    {
      /** The treatment of rows and columns that blocks do not divide. */
      fringe: words(claimedFringes),
      /** The place where sums of blocks are added. @defaultValue in any order */
      schedule: words(Object.keys(styles) as Style[]),
      /** Dimensions whose blocks are counted from the last. @defaultValue none */
      reversed: {
        need: `a list of ${directions.join(', ')}`,
        type: z.readonly(z.array(z.enum(directions))),
      },
      /** True if its table computes Cᵀ = BᵀAᵀ. @defaultValue false */
      transposed: flag,
      /** Turns of the trilinear form of its table. @defaultValue 0 */
      turned: { need: '0, 1 or 2', type: z.literal([0, 1, 2]) },
    },
    'a record such as { fringe: "static-pad" }',
    z.custom((value) => isRecord(value) && value.fringe !== undefined),
  ),
  /**
   * The order in which the products of an entry are added: `any` does not depend on the data, `data-dependent` sorts them, and
   * `signs-apart` has a sum for each sign.
   * @defaultValue any
   */
  order: words(orders),
  /** Terms of each partial sum: of a block, of a part of k, or of the smallest halves in pairwise summation. @defaultValue any */
  partition: terms,
  /** Number of parts into which k is split. @defaultValue any */
  parts: count(1, MOST, 'a whole number, at least 1'),
  /**
   * The cut of k into parts. `even`: at most ⌈k/parts⌉ terms each. `rest-last`: ⌊k/parts⌋ terms each, and the last part also takes the
   * rest. A record with `tile`: whole tiles.
   * @defaultValue in any way
   */
  cut: wordsOr<'even' | 'rest-last', Exclude<SumPartition, string>>(cuts, {
    /** Terms of a tile. */
    tile: terms,
  }),
  /**
   * The formats of the sums of parts, where these are narrower than other sums. The parts are those of `parts`, which without a `cut` is
   * the most of them, or of `partition`. They may be added in any order.
   * @defaultValue the format of sums
   */
  partialSums: within<PartialSums>(
    {
      /** The format to which the sum of each part is rounded, as in a workspace. */
      format: words(partialFormats),
      /** The format to which each sum of parts is rounded, as by atomic additions. @defaultValue the format of sums */
      added: words(partialFormats),
    },
    'a record such as { format: "bf16" }',
    z.custom((value) => isRecord(value) && value.format !== undefined),
  ),
  /**
   * The quantization of the operand without a coding (A if neither has one), where the kernel quantizes it while it reads it. The product
   * of the quantized numbers is then the exact one.
   * @defaultValue it is multiplied as it is
   */
  activations: within<ActivationClaims>(
    {
      /** The scheme: its codes, the blocks that share a factor, and the format of factors. */
      scheme: words(activationSchemes.names),
      /** Entries of a block along k, for `int8-block`. @defaultValue 32 */
      block: terms,
      /** The rounding of quotients to codes; ties to even with `nearest`. @defaultValue any that is documented for the scheme */
      rounding: words(codeTies),
      /**
       * The operations in binary32 that divide x by its factor d: x · (1/d), x · (127/largest), the same without rounding the product, or
       * x / d. @defaultValue any that is documented for the scheme
       */
      division: words(divisions),
    },
    'a record such as { scheme: "q8_0" }',
    z.custom((value) => isRecord(value) && value.scheme !== undefined),
  ),
  /**
   * The place where alpha multiplies: entries of A or B, or complete sums, in their formats or in narrower ones (`operand`, `result`).
   * @defaultValue either, not narrowed
   */
  alpha: words(['first', 'operand', 'last', 'result']),
  /** The place where beta·C is added: at the start of sums, to complete sums, or to rounded ones. @defaultValue either, not rounded */
  beta: words(['first', 'last', 'result']),
  /** True if the same operands give the same bits; the gate's check `repeatable` and `inspect` test it. @defaultValue true */
  deterministic: flag,
  /** True if a row of C does not depend on the number of rows computed with it; only `inspect` tests it. @defaultValue not promised */
  batchInvariant: flag,
  /**
   * The arithmetic, where it differs from that measured on the device, or from IEEE 754. Each part changes the bound and the expected
   * error.
   * @defaultValue as the device, or IEEE 754
   */
  arithmetic: within<ArithmeticClaims>({
    /** The rounding of + and ×: `faithful` to either neighbor, `stochastic` to either at random. @defaultValue as the device, or `nearest` */
    rounding: words(roundings),
    /** Roundings of a product and its addition. @defaultValue either */
    fma: words(['once', 'twice', 'either']),
    /** The treatment of subnormal numbers. @defaultValue as the device, or `either` */
    subnormals: wordsOr<'kept' | 'either', Flushing>(['kept', 'either'], {
      /** True if operands become zeros of their sign. */
      operands: flag,
      /** The magnitude below which results become zeros; 0 where none does. */
      below: { need: 'a finite number, at least 0', type: z.number().check(z.gte(0)) },
    }),
    /**
     * True if infinities and NaN compute as in IEEE 754; `nan` lets an infinity become NaN, and `false` leaves cases with them inconclusive.
     * @defaultValue true
     */
    exceptions: { need: 'true, false or nan', type: z.union([z.boolean(), z.literal('nan')]) },
    /** True if these claims determine every finite result to the last bit. @defaultValue false */
    modeled: flag,
    /** The rounding of operands to a narrower format that is multiplied. */
    operands: within<OperandArithmetic>({
      /** Their rounding. @defaultValue nearest */
      rounding: words(['nearest', 'toward-zero']),
      /** Subnormal numbers of the narrower format. @defaultValue kept */
      subnormals: words(['kept', 'flushed']),
    }),
    /** The rounding of sums to a narrower format of results. */
    result: within<ResultArithmetic>({
      /** Their rounding. @defaultValue nearest */
      rounding: words(roundings),
      /**
       * A sum beyond the largest number becomes infinity or else NaN, that number, or the last 32 bits of whole numbers.
       * @defaultValue `special`; whole numbers are promised to stay in range
       */
      overflow: words(overflows),
    }),
    /** The place where zero points of coded operands are subtracted: from elements, or from sums of raw elements. @defaultValue first */
    zeroPoints: words(zeroPointPlaces),
    /**
     * The running sums: their bits, and the number of products added at once.
     * @defaultValue in the format of sums, one product after the other
     */
    accumulator: within<Accumulator>({
      /**
       * Significand bits of a running sum, or of the window of an adder of several terms; no fewer than those of the multiplied format.
       * @defaultValue those of the format of sums
       */
      bits: count(1, 128, 'a whole number of bits, at most 128'),
      /** Products that one addition takes at once, aligned to the largest and cut off behind `bits`, as matrix units do. @defaultValue 1 */
      terms: count(2, 4096, 'a whole number from 2 to 4096'),
      /** Terms after which the running sum is added to one in the format of sums, and restarts. @defaultValue never */
      promoted: terms,
      /** The algorithm that keeps the rounding error of each addition. @defaultValue none */
      compensated: words(compensations),
    }),
  }),
} satisfies Readonly<Record<string, StatementRecord>>;

export type StatedProperties<R extends Readonly<Record<string, StatementRecord>>> = {
  readonly [K in keyof R]?: z.output<R[K]['type']> | undefined;
};

const STRUCTURES = 'structures such as general|syrk-lower|trmm-*';
const SIZES = 'a function of a shape or a pattern such as m=1..4096;k=1..4096';
const isSizes = (given: unknown): boolean => isFunction(given) || isPattern(given);

/** True if a text is a pattern of cases that restricts only sizes. */
function isPattern(given: unknown): boolean {
  if (typeof given !== 'string' || !given.split(';').every((part) => /^\s*[mkn]\s*=/.test(part)))
    return false;
  try {
    return parsePattern(given) !== undefined;
  } catch (error) {
    if (error instanceof ParanoiaError) return false;
    throw error;
  }
}

/** Records of the sizes and structures that a kernel may accept, beside {@link features}. */
const sizeRecords = {
  /**
   * The accepted shapes. In TypeScript also a function that returns true, or the reason of a refusal as a clause after "because".
   * @defaultValue every shape
   */
  sizes: { need: SIZES, type: z.custom<string | ((shape: Shape) => true | string)>(isSizes) },
  /**
   * True if the kernel is meant for few shapes. Without it, a kernel cannot pass if it accepts fewer than half of the gate's size classes.
   * @defaultValue false
   */
  narrow: flag,
  /** The structures of level-3 BLAS that the kernel computes, with | between them. @defaultValue `general` */
  structure: {
    need: STRUCTURES,
    type: z.custom<string>((given) => typeof given === 'string' && readStructures(given) !== undefined),
    words: structureNames,
  },
};

const EPILOGUES = 'epilogues with | between them, such as none|bias:row,relu';

/** Explains why a text names no epilogues, as the end of a clause. */
function whyNoChains(text: unknown): string | undefined {
  try {
    readChains(text as string);
    return undefined;
  } catch (error) {
    if (error instanceof ParanoiaError) return `names no epilogue: ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

/** Records of what may follow the product, beside {@link features}. */
const epilogueRecords = {
  /**
   * The epilogues that the kernel computes, with `|` between them: each is `none`, or at most four steps with commas between them, as in
   * `none|bias:row,gelu-tanh`. `list` prints the steps. A product without an epilogue is accepted only if `none` is among them.
   * @defaultValue none
   */
  epilogue: { need: EPILOGUES, type: z.string(), whyWrong: whyNoChains },
};

/** The products that a kernel accepts: features that are true, all shapes or those of `sizes`, structures and epilogues. */
export interface AcceptedProducts
  extends Features,
    StatedProperties<typeof sizeRecords>,
    StatedProperties<typeof epilogueRecords> {}

const accepted: Readonly<Record<string, StatementRecord>> = {
  ...Object.fromEntries(features.map(({ key }) => [key, flag])),
  ...sizeRecords,
  ...epilogueRecords,
};

/** Records of all properties that every language can state: claims, and accepted products. */
export const sayings = {
  claims: {
    ...{
      need: 'an object',
      type: z.custom(isRecord),
      within: claimRecords as Readonly<Record<string, StatementRecord>>,
    },
  },
  accepts: {
    need: `"everything", or an object with true for any of ${Object.keys(accepted)
      .filter((key) => key !== 'sizes' && key !== 'epilogue' && key !== 'structure')
      .join(', ')}, epilogue (${EPILOGUES}), structure (${STRUCTURES}), and sizes (${SIZES})`,
    type: z.custom<'everything' | AcceptedProducts | AcceptedProducts['sizes']>(
      (given) => given === 'everything' || isSizes(given) || isRecord(given),
    ),
    within: accepted,
  },
} satisfies Readonly<Record<string, StatementRecord>>;

/** Explains why a value cannot be stated, as a clause in the words of all languages; undefined where it can, or is left out. */
export function whyInvalidStatement(path: string, value: unknown, said: StatementRecord): string | undefined {
  if (value === undefined) return undefined;
  if (said.within !== undefined && isRecord(value)) {
    const known = Object.keys(said.within);
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined)
      return `its \`${path}\` has the unknown key ${formatValue(unknown)}${hintOf(unknown, known)}`;
    for (const [key, part] of Object.entries(said.within)) {
      const wrong = whyInvalidStatement(`${path}.${key}`, lookUp(value, key), part);
      if (wrong !== undefined) return wrong;
    }
  }
  if (said.type.safeParse(value).success) {
    const why = said.whyWrong?.(value);
    return why === undefined ? undefined : `its ${path} ${why}`;
  }
  const near = typeof value === 'string' ? nearest(value, said.words ?? []) : undefined;
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return `its ${path} must be ${said.need}, but is ${formatValue(value)}${hint}`;
}
