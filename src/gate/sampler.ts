import { createRandom } from '../base/random.ts';
import { settleFields } from '../fuzz/settle-fields.ts';
import type { Target } from '../fuzz/target.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Features } from '../matrix/features.ts';
import { type BatchedShape, boundaryShapes } from '../problem/boundary-shapes.ts';
import type { Case } from '../problem/case.ts';
import { coveringDesign, type Extent } from '../problem/covering-design.ts';
import { batchFor, SMALL_BATCH } from '../problem/draws.ts';
import type { FlatCase } from '../problem/problem.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { isDecided, type PlannedClaims } from './decided.ts';
import { type EntryFamily, type EntryPurpose, entryFamiliesFor, FULL, RANDOM } from './drawn-entries.ts';
import { type Variation, variations } from './gemm-sample.ts';

/** Parameters of the drawn part of a campaign. */
export interface DrawParameters {
  readonly seed: number;
  /** Number of designs, each drawn from a seed of its own. */
  readonly rounds: number;
  /** Limits of the products of a design. */
  readonly extent: Extent;
  /** Multiplications of the largest landmark. */
  readonly largest: number;
  /** Largest size up to which every size of each dimension is tested. */
  readonly sizes: number;
  /** Number of whole programs for an external kernel. */
  readonly programs: number;
  /** Number of sweeps of small sizes for an external kernel. */
  readonly sweeps: number;
}

/** Streams that no family draws from: for sizes, and for the seeds of cases, which are public but distinct. */
const [STREAM, SEEDS] = [3000, 4000];
const MOST_SEED = 999_999;

/** Draws the sizes of several rounds, each a covering design and every landmark, as far as the kernel accepts them. */
export function drawSizes(
  { seed, rounds, extent, largest }: DrawParameters,
  takes: (sizes: BatchedShape) => boolean,
): BatchedShape[] {
  return Array.from({ length: rounds }, (_, round) => {
    const random = createRandom(seed, STREAM + round);
    const drawn = boundaryShapes.map(({ draw }) => draw(random));
    const marks = drawn.filter((sizes) => countShapeProducts(sizes) <= largest && takes(sizes));
    return [...coveringDesign(random, { ...extent, takes }), ...marks];
  }).flat();
}

export const countShapeProducts = ({ m, k, n, batch = 1 }: BatchedShape): number => m * k * n * batch;

/** Limit of multiplications, or entries of one matrix. Larger sizes meet one family instead of one of each kind. */
const LARGE = 2 ** 20;

const isLarge = (sizes: BatchedShape): boolean => weightOf(sizes) > LARGE;

/** Returns the multiplications, or the entries of one matrix where these are more. */
export const weightOf = ({ m, k, n, batch = 1 }: BatchedShape): number =>
  batch * Math.max(OF_A_PRODUCT, m * k * n, m * k, k * n, m * n);

/** Multiplications that cost as much as the overhead of one product of a batch. */
const OF_A_PRODUCT = 64;

/** The kernel for which cases are drawn. */
type Drawn = Pick<Target, 'kernel' | 'limits' | 'claimed' | 'refuses'> & {
  readonly levels?: number;
};

/** Options of drawing cases. */
export interface DrawOptions {
  readonly seed: number;
  /** Features beyond A·B of dense matrices. */
  readonly features: Features;
  /** Returns true if a family may be drawn. */
  readonly inputs: (name: string) => boolean;
  /** Items that cases may name. @defaultValue the built-in ones */
  readonly items?: CaseItems | undefined;
  /** The kernel's claims about its sums and zero points. @defaultValue none */
  readonly claims?: PlannedClaims | undefined;
  /** True if all sizes meet only one family, as large ones do, and batches are small. @defaultValue false */
  readonly few?: boolean | undefined;
  /** Returns a variation for each of the sizes. @defaultValue {@link variations} of every other case */
  readonly variations?: ((all: readonly BatchedShape[]) => readonly Variation[]) | undefined;
  /** The entries of all cases, in rotation. @defaultValue those of each kind in rotation */
  readonly entries?: readonly EntryFamily[] | undefined;
}

/**
 * Returns cases on drawn sizes. Each size gets an exact product and one of random entries; one of the two is plain, and the other has a
 * variation. Large sizes get only one of these, in turn.
 * @param who returns the kernel for the sizes at an index.
 */
export function drawCases(
  shapes: readonly BatchedShape[],
  who: (at: number) => Drawn,
  drawing: DrawOptions,
): PlannedCase[] {
  const { seed, features, few = false, variations: given } = drawing;
  const varying = given?.(shapes) ?? variations(features, shapes.length, seed);
  const seeds = createRandom(seed, SEEDS + shapes.length);
  return shapes.flatMap((sizes, at) => {
    const own = who(at);
    const kinds: readonly EntryPurpose[] = few || isLarge(sizes) ? [at % 2 === 0 ? 0 : 1] : [0, 1];
    return kinds.flatMap((kind) => {
      const turn = turnOf(sizes, at, kind, own, drawing);
      if (turn === undefined) return [];
      const variation = turn.isVaried ? variationFor(sizes, varying[at], few) : {};
      const made = settledFor({ ...sizes, seed: seeds.int(1, MOST_SEED) }, variation, turn, own, drawing);
      return made === undefined ? [] : [{ ...made, series: false, drawn: true }];
    });
  });
}

/** The entries of the sizes at an index, the alternatives, and whether the product has a variation. */
interface Turn {
  readonly entries: EntryFamily;
  readonly others: readonly string[];
  readonly isVaried: boolean;
}

function turnOf(
  sizes: BatchedShape,
  at: number,
  kind: EntryPurpose,
  own: Drawn,
  drawing: DrawOptions,
): Turn | undefined {
  const { inputs, entries: given, few = false, variations: all } = drawing;
  const isRoomy = all === undefined && (own.claimed?.(sizes) ?? 0) === 0;
  const fitting = entryFamiliesFor({ sizes, kind, inputs, isRoomy, given });
  if (fitting.length === 0) return undefined;
  const half = Math.floor(at / 2);
  const [round, turn] = [Math.floor(half / fitting.length), half % fitting.length];
  const entries = fitting[turn];
  // Families that are varied in one round are plain in the next.
  const isVaried = all !== undefined || (few || isLarge(sizes) ? round + turn : at + kind) % 2 === 1;
  const others = [...fitting.slice(turn), ...fitting.slice(0, turn)].map(([name]) => name);
  return { entries, others, isVaried: isVaried && entries[1] !== FULL };
}

/**
 * Returns the case of sizes in their turn, or its plain form where a variation is not accepted. Random entries replace entries that leave
 * no decisive check. The case is plain where these leave none either.
 */
function settledFor(
  sizes: BatchedShape & { readonly seed: number },
  variation: Variation,
  { entries: [input, edit = 'none'], others }: Turn,
  { levels = 0, ...target }: Drawn,
  { inputs, items = builtinCaseItems, claims }: DrawOptions,
): Case | undefined {
  const of = (more: Variation, entries: Pick<FlatCase, 'input' | 'edit'>, families: readonly string[]) =>
    settleFields({ ...sizes, ...more, levels, ...entries }, target, families.map(items.inputs.find));
  const made = of(variation, { input, edit }, others) ?? of({}, { input, edit }, others);
  if (made === undefined || isDecided(made, items, claims) || !inputs(RANDOM)) return made;
  const random = [variation, {}].map((more) => of(more, { input: RANDOM, edit: 'none' }, [RANDOM]));
  return random.find((one) => one !== undefined && isDecided(one, items, claims)) ?? made;
}

/** Fits a variation to sizes, which may have a batch of their own. */
function variationFor(sizes: BatchedShape, variation: Variation = {}, few: boolean): Variation {
  const { batch = 1 } = variation;
  const padded = (['a', 'b', 'c', 'd'] as const).flatMap((key) => {
    const own = variation[key];
    if (own === undefined) return [];
    const { m, k, n } = sizes;
    const inc = Math.max(m * k, k * n, m * n) * (own.inc ?? 1) > BETWEEN ? undefined : own.inc;
    return [[key, { ...own, inc, pad: Math.min(own.pad, padFor(sizes)) }] as const];
  });
  return {
    ...{ ...variation, ...Object.fromEntries(padded) },
    batch: sizes.batch ?? batchFor(batch, sizes, few ? SMALL_BATCH : undefined),
  };
}

/** Most padding entries between the lines of a matrix, in all. */
const BETWEEN = 2 ** 24;

/** Returns the most padding of a line. Millions of lines with hundreds of padding entries would fill the memory of a machine. */
const padFor = ({ m, k, n }: BatchedShape): number => Math.max(1, Math.floor(BETWEEN / Math.max(1, m, k, n)));
