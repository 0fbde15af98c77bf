import { lookUp } from '../../src/base/objects.ts';
import type { Item } from '../../src/base/registry.ts';

/** Classes of faults of kernels. */
export const faultClasses = [
  { name: 'edges', what: 'small sizes: partial tiles and vectors, single rows and columns' },
  { name: 'large', what: 'sizes beyond 512, sums beyond 1024 terms, or many products' },
  { name: 'layout', what: 'transposes, column-major storage, leading dimensions, offsets' },
  { name: 'factors', what: 'alpha and beta, C that must not be read' },
  { name: 'batch', what: 'batches of products' },
  { name: 'precision', what: 'operands, sums or results with too few bits' },
  { name: 'values', what: 'NaN, infinities, huge, tiny or equal entries' },
  { name: 'repetition', what: 'races, state of earlier products, counters' },
  { name: 'cheats', what: 'kernels that detect the judge' },
] as const satisfies readonly Item[];
export type CorpusFaultClass = (typeof faultClasses)[number]['name'];

/** A product that a record shows to be wrong: its sizes and features. */
export interface WrongProductRecord {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly batch?: number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly [more: string]: unknown;
}

/** Fields of a historic record that describe its bug. */
export interface HistoricFields {
  readonly fails: readonly WrongProductRecord[];
  readonly holds: readonly WrongProductRecord[];
  readonly trigger: string;
  readonly what: string;
  readonly calls?: number;
  readonly after?: string;
  readonly groups?: unknown;
}

const LARGE = { size: 512, terms: 1024 };
const isLarge = ({ m, k, n }: WrongProductRecord) => Math.max(m, n) > LARGE.size || k > LARGE.terms;
const hasLayout = (one: WrongProductRecord) =>
  (['a', 'b', 'c', 'd'] as const).some((name) => one[name] !== undefined);
const hasFactors = ({ alpha = 1, beta = 0 }: WrongProductRecord) => alpha !== 1 || beta !== 0;
const hasValues = (one: WrongProductRecord) =>
  (['values', 'right', 'nan', 'same'] as const).some((name) => one[name] !== undefined);
const VALUES = /\bNaN\b|infinit|subnormal|denormal|overflow|−0|beyond 65504/;
const BITS = /\bbits?\b|precision|TF32|bfloat|round/i;

/**
 * Classifies a historic bug by the common features of the products that its record shows to be wrong. Values and bits are not
 * among these features, so they are recognized in the trigger's words.
 */
export function classOfHistory({
  fails,
  holds,
  trigger,
  what,
  calls,
  after,
  groups,
}: HistoricFields): CorpusFaultClass {
  const all = (test: (one: WrongProductRecord) => boolean) => fails.length > 0 && fails.every(test);
  if (calls !== undefined || after !== undefined) return 'repetition';
  if (groups !== undefined || all(({ batch = 1 }) => batch > 1)) return 'batch';
  if (VALUES.test(trigger) || (all(hasValues) && !BITS.test(what))) return 'values';
  if (holds.some(hasValues) && BITS.test(`${trigger} ${what}`)) return 'precision';
  if (all(hasFactors)) return 'factors';
  if (all(hasLayout)) return 'layout';
  return all(isLarge) ? 'large' : 'edges';
}

/** Fields of a mutant that describe its fault. */
export interface Mutant {
  readonly kind: string;
  readonly trigger: string;
  readonly shows: WrongProductRecord;
}

/** Classes of faults by kinds of mutants; the other kinds drop, repeat or swap terms and entries. */
const KINDS: Readonly<Record<string, CorpusFaultClass>> = {
  ...classed(
    'layout',
    'transposition bothTransposed columnOrder leadingDimension leadingDimensionOfLarge offset',
  ),
  ...classed('factors', 'alphaIgnored alphaTwice alphaMinus betaOne betaIgnored betaOnTail'),
  ...classed('batch', 'batchMixed batchNext batchMissed batchTerm betaWithBatch'),
  ...classed('precision', 'operands oneOperand sums result oneColumnOfBits'),
  ...classed(
    'values',
    'nanLost infinityClamped zerosSkipped negativeZero overflow underflow subnormalsNan saturates',
  ),
  ...classed(
    'repetition',
    'cachedByShape cachedByWholeShape cachedByFirst cachedByEnds workspace accumulators',
  ),
  ...classed('repetition', 'staleAnswer tileOfBefore staleAccumulator race raceOfTiles'),
};

function classed(name: CorpusFaultClass, kinds: string): Record<string, CorpusFaultClass> {
  return Object.fromEntries(kinds.split(' ').map((kind) => [kind, name]));
}

/** Classifies a mutant by its kind, else by its trigger, else by the product that shows its fault. */
export function classOfMutant({ kind, trigger, shows }: Mutant): CorpusFaultClass {
  const ofKind = lookUp(KINDS, kind);
  if (ofKind !== undefined) return ofKind;
  if (trigger === 'repetition' || trigger === 'chance') return 'repetition';
  if (trigger === 'values') return 'values';
  return isLarge(shows) ? 'large' : 'edges';
}
