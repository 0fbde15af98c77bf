import { seeded } from '../base/random.ts';
import { settled } from '../fuzz/settled.ts';
import type { Target } from '../fuzz/target.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Features } from '../matrix/features.ts';
import type { Case } from '../problem/case.ts';
import { coveringDesign, type Extent } from '../problem/covering-design.ts';
import { batchFor, SMALL_BATCH } from '../problem/draws.ts';
import { landmarks, type Sizes } from '../problem/landmarks.ts';
import type { Flat } from '../problem/problem.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { isDecided } from './decided.ts';
import { type Entries, entriesFor, FULL, type Kind, RANDOM } from './drawn-entries.ts';
import { type Variation, variations } from './gemm-sample.ts';

/** What a campaign draws beside its fixed cases. */
export interface Draws {
  readonly seed: number;
  /** Designs, each drawn from a seed of its own. */
  readonly rounds: number;
  /** How large the products of a design may be. */
  readonly extent: Extent;
  /** Multiplications of the largest landmark. */
  readonly largest: number;
  /** Every size of each dimension up to it, beside others. */
  readonly sizes: number;
  /** Whole programs that a kernel which is not ours is asked for. */
  readonly programs: number;
}

/** Streams that no family draws from: of sizes, and of the seeds of cases, which are no secret but differ. */
const [STREAM, SEEDS] = [3000, 4000];
const MOST_SEED = 999_999;

/** The sizes of so many rounds: a covering design and those of every landmark, as far as they are taken. */
export function drawnSizes(
  { seed, rounds, extent, largest }: Draws,
  takes: (sizes: Sizes) => boolean,
): Sizes[] {
  return Array.from({ length: rounds }, (_, round) => {
    const random = seeded(seed, STREAM + round);
    const drawn = landmarks.map(({ draw }) => draw(random));
    const marks = drawn.filter((sizes) => productsOf(sizes) <= largest && takes(sizes));
    return [...coveringDesign(random, { ...extent, takes }), ...marks];
  }).flat();
}

export const productsOf = ({ m, k, n, batch = 1 }: Sizes): number => m * k * n * batch;

/** Beyond so many multiplications, or entries of one matrix, sizes meet one family, not one of each kind. */
const LARGE = 2 ** 20;

const isLarge = (sizes: Sizes): boolean => weightOf(sizes) > LARGE;

/** Multiplications, or entries of one matrix where these are more. */
export const weightOf = ({ m, k, n, batch = 1 }: Sizes): number =>
  batch * Math.max(OF_A_PRODUCT, m * k * n, m * k, k * n, m * n);

/** Multiplications that take as long as one product of a batch takes beside its own. */
const OF_A_PRODUCT = 64;

/** Who is drawn for. */
type Drawn = Pick<Target, 'kernel' | 'limits' | 'claimed' | 'refuses'> & {
  readonly levels?: number;
};

/** How it is drawn. */
export interface Drawing {
  readonly seed: number;
  /** What is drawn beyond A·B of dense matrices. */
  readonly features: Features;
  /** Whether a family is drawn from. */
  readonly inputs: (name: string) => boolean;
  /** Items that cases may name. @defaultValue the built-in ones */
  readonly items?: CaseItems | undefined;
  /** Whether all sizes meet one family, as large ones do, and batches are small. @defaultValue false */
  readonly few?: boolean | undefined;
  /** Variations that all have, each of sizes. @defaultValue some of what is drawn beyond A·B, of every other case */
  readonly variations?: ((all: readonly Sizes[]) => readonly Variation[]) | undefined;
  /** The entries of all, in turn. @defaultValue those of each kind in turn */
  readonly entries?: readonly Entries[] | undefined;
}

/**
 * Cases on drawn sizes: of each, one whose products are exact and one of random entries, of which one is the plain
 * product and one a variation; of large ones one of these in turn.
 * @param who whom the sizes in a place are for.
 */
export function drawnCases(
  shapes: readonly Sizes[],
  who: (at: number) => Drawn,
  drawing: Drawing,
): PlannedCase[] {
  const { seed, features, few = false, variations: given } = drawing;
  const varying = given?.(shapes) ?? variations(features, shapes.length, seed);
  const seeds = seeded(seed, SEEDS + shapes.length);
  return shapes.flatMap((sizes, at) => {
    const own = who(at);
    const kinds: readonly Kind[] = few || isLarge(sizes) ? [at % 2 === 0 ? 0 : 1] : [0, 1];
    return kinds.flatMap((kind) => {
      const turn = turnOf(sizes, at, kind, own, drawing);
      if (turn === undefined) return [];
      const variation = turn.isVaried ? variationFor(sizes, varying[at], few) : {};
      const made = settledFor({ ...sizes, seed: seeds.int(1, MOST_SEED) }, variation, turn, own, drawing);
      return made === undefined ? [] : [{ ...made, series: false, drawn: true }];
    });
  });
}

/** Which entries sizes meet in their place, those behind them, and whether a variation of the product. */
interface Turn {
  readonly entries: Entries;
  readonly others: readonly string[];
  readonly isVaried: boolean;
}

function turnOf(sizes: Sizes, at: number, kind: Kind, own: Drawn, drawing: Drawing): Turn | undefined {
  const { inputs, entries: given, few = false, variations: all } = drawing;
  const isRoomy = all === undefined && (own.claimed?.(sizes) ?? 0) === 0;
  const fitting = entriesFor({ sizes, kind, inputs, isRoomy, given });
  if (fitting.length === 0) return undefined;
  const half = Math.floor(at / 2);
  const [round, turn] = [Math.floor(half / fitting.length), half % fitting.length];
  const entries = fitting[turn];
  // What is varied in one round of the families is plain in the next.
  const isVaried = all !== undefined || (few || isLarge(sizes) ? round + turn : at + kind) % 2 === 1;
  const others = [...fitting.slice(turn), ...fitting.slice(0, turn)].map(([name]) => name);
  return { entries, others, isVaried: isVaried && entries[1] !== FULL };
}

/** The case of sizes in their turn, plain where it may not be varied; of random entries where nothing would decide it else, and plain where not even these. */
function settledFor(
  sizes: Sizes & { readonly seed: number },
  variation: Variation,
  { entries: [input, edit = 'none'], others }: Turn,
  { levels = 0, ...target }: Drawn,
  { inputs, items = builtinCaseItems }: Drawing,
): Case | undefined {
  const of = (more: Variation, entries: Pick<Flat, 'input' | 'edit'>, families: readonly string[]) =>
    settled({ ...sizes, ...more, levels, ...entries }, target, families.map(items.inputs.find));
  const made = of(variation, { input, edit }, others) ?? of({}, { input, edit }, others);
  if (made === undefined || isDecided(made, items) || !inputs(RANDOM)) return made;
  const random = [variation, {}].map((more) => of(more, { input: RANDOM, edit: 'none' }, [RANDOM]));
  return random.find((one) => one !== undefined && isDecided(one, items)) ?? made;
}

/** A variation of sizes that may be a batch themselves. */
function variationFor(sizes: Sizes, variation: Variation = {}, few: boolean): Variation {
  const { batch = 1 } = variation;
  const padded = (['a', 'b', 'c', 'd'] as const).flatMap((key) => {
    const own = variation[key];
    return own === undefined ? [] : [[key, { ...own, pad: Math.min(own.pad, padFor(sizes)) }] as const];
  });
  return {
    ...{ ...variation, ...Object.fromEntries(padded) },
    batch: sizes.batch ?? batchFor(batch, sizes, few ? SMALL_BATCH : undefined),
  };
}

/** Entries that lie between lines of a matrix at most, all together. */
const BETWEEN = 2 ** 24;

/** Millions of lines with hundreds of entries between them fill the memory of a machine. */
const padFor = ({ m, k, n }: Sizes): number => Math.max(1, Math.floor(BETWEEN / Math.max(1, m, k, n)));
