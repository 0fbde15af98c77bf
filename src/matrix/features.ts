import {
  extentsOf,
  type Gemm,
  isInterleaved,
  leastLine,
  type MatrixLayout,
  readsAddend,
  requestedGemm,
  storedLinesOf,
} from './gemm.ts';
import { GENERAL, readStructures } from './structure.ts';

/** A feature that a product may have beyond plain A·B. */
export interface Feature<K = FeatureKey> {
  readonly key: K;
  /** The feature's name in a sentence: "it does not accept …". */
  readonly what: string;
  /** True if only products of complex entries may have the feature. @defaultValue false */
  readonly ofComplex?: boolean;
  /** True if `everything` does not include it: few interfaces have it. @defaultValue false */
  readonly isSpecial?: boolean;
  needs(gemm: Gemm): boolean;
}

const matrices = ['a', 'b', 'c', 'd'] as const;

const someLaid = (
  gemm: Gemm,
  test: (laid: MatrixLayout, extent: { rows: number; cols: number }) => boolean,
) => {
  const extents = extentsOf(gemm);
  return matrices.some((name) => test(gemm[name], extents[name]));
};

const records = [
  {
    key: 'transposed',
    what: 'transposed operands',
    needs: ({ a, b }) => a.op === 't' || b.op === 't',
  },
  {
    key: 'conjugated',
    what: 'conjugate transposes',
    ofComplex: true,
    needs: ({ a, b }) => a.op === 'c' || b.op === 'c',
  },
  {
    key: 'columns',
    what: 'column-major matrices',
    needs: (gemm) => someLaid(gemm, ({ order }) => order === 'column'),
  },
  {
    key: 'leadingDimensions',
    what: 'leading dimensions above the minimum',
    needs: (gemm) =>
      someLaid(gemm, (laid, extent) => laid.ld > leastLine(storedLinesOf(laid, extent).entries, laid.inc)) ||
      (gemm.batch > 1 &&
        someLaid(gemm, (laid, extent) => laid.stride > storedLinesOf(laid, extent).lines * laid.ld)),
  },
  {
    key: 'strides',
    what: 'general strides',
    isSpecial: true,
    needs: (gemm) => someLaid(gemm, ({ inc = 1 }) => inc > 1),
  },
  {
    key: 'offsets',
    what: 'offsets',
    needs: (gemm) => someLaid(gemm, ({ offset }) => offset > 0),
  },
  {
    key: 'alpha',
    what: 'alpha other than 1',
    needs: ({ alpha, imaginary }) => alpha !== 1 || (imaginary?.alpha ?? 0) !== 0,
  },
  { key: 'beta', what: 'beta other than 0', needs: readsAddend },
  {
    key: 'complexFactors',
    what: 'alpha and beta with imaginary parts',
    ofComplex: true,
    needs: ({ imaginary }) => imaginary !== undefined,
  },
  { key: 'batch', what: 'batches', needs: ({ batch }) => batch !== 1 },
  {
    key: 'broadcast',
    what: 'one matrix shared by a batch',
    needs: (gemm) =>
      gemm.batch > 1 && someLaid(gemm, ({ stride }, { rows, cols }) => stride === 0 && rows * cols > 0),
  },
  {
    key: 'interleaved',
    what: 'interleaved batches',
    needs: (gemm) => someLaid(gemm, (laid, extent) => isInterleaved(laid, extent, gemm.batch)),
  },
  {
    key: 'addresses',
    what: 'batches by a list of addresses',
    isSpecial: true,
    needs: (gemm) => someLaid(gemm, ({ addresses }) => addresses !== undefined),
  },
  { key: 'outOfPlace', what: 'D separate from C', needs: ({ c, d }) => c !== d },
  { key: 'empty', what: 'sizes of 0', needs: ({ m, k, n }) => m * k * n === 0 },
  {
    key: 'grouped',
    what: 'groups of products of different shapes',
    isSpecial: true,
    needs: ({ group = 1 }) => group > 1,
  },
] as const satisfies readonly Feature<string>[];

/** The features of a product, or those that a kernel accepts, beyond A·B of dense row-major matrices. An absent feature is false. */
export type Features = { readonly [K in FeatureKey]?: boolean | undefined } & {
  /** The structures that a kernel accepts, with | between them: `general|syrk-*`. @defaultValue 'general' */
  readonly structure?: string | undefined;
};
type FeatureKey = (typeof records)[number]['key'];

export const features: readonly Feature[] = records;

/** Returns the features that products of complex, or of real, entries may have. */
export const featuresOf = (isComplex: boolean): readonly Feature[] =>
  features.filter(({ ofComplex = false }) => isComplex || !ofComplex);

/** All features of real entries that BLAS and its batches have: neither general strides nor lists of addresses or products. */
export const everything: Features = Object.fromEntries(
  featuresOf(false)
    .filter(({ isSpecial = false }) => !isSpecial)
    .map(({ key }) => [key, true]),
);

/** All features of real entries, lists of products of unequal shapes included. */
export const everythingGrouped: Features = { ...everything, grouped: true };

/** Adds conjugate transposes to accepted features if the entries are complex. */
export const withComplex = (takes: Features, isComplex: boolean): Features =>
  isComplex ? { ...takes, conjugated: true } : takes;

/**
 * Explains why a kernel does not accept a product, as a clause after "because".
 * @returns undefined if the kernel accepts all its features.
 */
export function whyNotAccepted(accepts: Features, gemm: Gemm): string | undefined {
  const asked = requestedGemm(gemm);
  const { structure = GENERAL } = asked;
  if (readStructures(accepts.structure)?.includes(structure) !== true)
    return `it does not accept ${structure === GENERAL ? 'general products' : structure} (accepts.structure is ${accepts.structure ?? GENERAL})`;
  const found = features.find(({ key, needs }) => accepts[key] !== true && needs(asked));
  return found && `it does not accept ${found.what} (accepts.${found.key} is not true)`;
}
