import { sharedGrowth } from '../algorithms/growth.ts';
import { createRandom } from '../base/random.ts';
import { whyNoPrograms } from '../evidence/whole-programs/routine.ts';
import { integers } from '../inputs/integers.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { acceptsOf, whyNotComputed } from '../kernels/check-kernel.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { featuresOf } from '../matrix/features.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { assumed } from '../precision/arithmetic.ts';
import { applyClaims } from '../precision/precision.ts';
import { isComplex } from '../precision/precisions.ts';
import { longestInParts, narrowestSums } from '../precision/sums.ts';
import { type BatchedShape, COMPLEX_OPS, OPS, shapesOfOnes } from '../problem/boundary-shapes.ts';
import { caseOf, changeCase } from '../problem/case.ts';
import type { NearbySizes } from '../problem/draws.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { plainStorage } from '../problem/problem.ts';
import { alignedShapes, everySize, shapesOfGrams, shapesOfNothing } from '../problem/special-shapes.ts';
import { thinShapes, tinyShapes, wildSizes } from '../problem/wild-sizes.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, filterFamilies, SERIES_INPUTS, SERIES_SIZES } from './campaign.ts';
import { withPrograms, withRepeats } from './earlier-calls.ts';
import { describeEpilogueLimits, withEpilogues, withoutEpilogues } from './epilogue-sample.ts';
import { listEdgeCases, type Variation, variations } from './gemm-sample.ts';
import { factorEndCases, overflowingCases } from './range-end-cases.ts';

import { assignOpsInTurn, richVariations } from './rich-sample.ts';
import { type DrawOptions, type DrawParameters, drawCases, drawSizes } from './sampler.ts';
import { asGeneral, withStructures } from './structured-cases.ts';
import { drawSweeps, isSwept } from './sweep-sample.ts';
import { mergeEvenly, repeatAtRandom, WILD_ENTRIES, wildVariations } from './wild-sample.ts';
import { withClaimedEntries } from './with-claimed-entries.ts';

/** Shapes of a campaign that a kernel does not multiply, with its reason for the first of them. */
export interface RefusedShapes {
  readonly kernel: string;
  readonly shapes: readonly Shape[];
  readonly of: number;
  readonly reason: string;
}

/**
 * Plans the cases of an external kernel. It has one way of multiplying, so it meets every input on every shape that both accept, at the
 * levels that it claims for the shape. The growth series follows.
 * @throws ParanoiaError `bad-kernel`
 */
export function externalCases(
  campaign: Campaign,
  spec: UserKernel,
  known: CaseItems = builtinCaseItems,
): PlannedCase[] {
  const items = withClaimedSums(known, spec);
  const { inputs, shapes, seed } = campaign;
  const accepted = shapes.filter((shape) => whyNotComputed(spec, shape) === undefined);
  const broad = inputs.flatMap((input) =>
    accepted.flatMap((shape) => casesOf(spec, input, shape, seed, items)),
  );
  const { name, precision = 'f32' } = spec;
  const whole =
    campaign.plain || !campaign.combinations ? [] : listEdgeCases(name, acceptsOf(spec), { seed, precision });
  const edges = whole.flatMap((value) => {
    const { m, k, n, input } = value.problem;
    if (!inputs.includes(input) || whyNotComputed(spec, toGemm(value.problem)) !== undefined) return [];
    return casesOf(spec, input, { m, k, n }, seed, items).map((made) => ({
      ...changeCase(value, { levels: made.method.levels }),
      series: false,
    }));
  });
  const certain = [...overflowingCases(campaign, spec, items), ...factorEndCases(campaign, spec, items)];
  const fixed = [...broad, ...heldOf(broad, items), ...edges, ...series(campaign, spec, items)];
  return [...certain, ...fixed, ...drawn(campaign, spec, items)];
}

/** Returns the shapes of a campaign that a kernel refuses, if any. */
export function findRefusedShapes({ shapes }: Campaign, given: UserKernel): RefusedShapes | undefined {
  const spec = asGeneral(given);
  const refused = shapes.filter((shape) => whyNotComputed(spec, shape) !== undefined);
  if (refused.length === 0) return undefined;
  const reason = whyNotComputed(spec, refused[0]) as string;
  return { kernel: spec.name, shapes: refused, of: shapes.length, reason };
}

/** Returns notes on the cases of a campaign that external kernels do not accept. */
export const describeLeftOut = (campaign: Campaign, external: readonly UserKernel[]): string[] =>
  external.flatMap((spec) => {
    const refused = findRefusedShapes(campaign, spec);
    const untaken = campaign.plain ? undefined : describeUnsupported(spec);
    return [
      ...(refused === undefined ? [] : [describeRefusedShapes(refused)]),
      ...(untaken === undefined ? [] : [untaken]),
      ...describeUnclaimed(spec),
      ...describeEpilogueLimits(spec),
    ];
  });

/** Returns a sentence on the refused shapes of a kernel. */
function describeRefusedShapes({ kernel, shapes, of, reason }: RefusedShapes): string {
  const [{ m, k, n }] = shapes;
  const some = `${shapes.length} of the gate's ${of} fixed shapes, such as ${m}×${k}×${n}`;
  return `${kernel} does not accept ${some}: ${reason}.`;
}

/** Returns a sentence on entries that no case has, since the kernel claims nothing about them. */
const describeUnclaimed = ({ name, claims }: UserKernel): string[] =>
  claims?.arithmetic?.exceptions === false
    ? [`${name} was not tested with NaN and infinities, since it claims \`exceptions: false\`.`]
    : [];

/** Returns a sentence on the features of D = alpha·op(A)·op(B) + beta·C that a kernel does not accept, if any. */
function describeUnsupported(spec: UserKernel): string | undefined {
  const takes = acceptsOf(spec);
  const known = featuresOf(isComplex(spec.precision ?? 'f32'));
  const untaken = known.filter(({ key }) => takes[key] !== true).map(({ what }) => what);
  if (untaken.length === 0) return undefined;
  if (untaken.length === known.length)
    return `${spec.name} was tested only with A·B of contiguous row-major matrices. If it takes more, such as transposes, say so in its property \`accepts\`.`;
  const what = untaken.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return `${spec.name} was not tested with ${what}. If it takes them, say so in its property \`accepts\`.`;
}

/** Returns the case of an input and a shape, if the input can be made for the shape. */
function casesOf(
  spec: UserKernel,
  input: string,
  shape: Shape,
  seed: number,
  { algorithms, precisions, inputs }: CaseItems,
): PlannedCase[] {
  const { name, precision = 'f32', claims = {} } = spec;
  const { levels, table } = claimedAlgorithmFor(claims, shape, algorithms);
  const limits = { levels, growth: sharedGrowth(table), precision: precisions.find(precision) };
  if (!inputs.find(input).accepts({ ...shape, ...limits }).ok) return [];
  return [{ ...caseOf({ kernel: name, levels, input, ...shape, seed, precision }), series: false }];
}

/** Returns the same items, with the precision of a kernel limited to the sums that it claims. */
function withClaimedSums(
  { precisions, ...items }: CaseItems,
  { precision = 'f32', claims }: UserKernel,
): CaseItems {
  const find = (name: string) => {
    const found = precisions.find(name);
    return name === precision ? applyClaims(found, claims).precision : found;
  };
  return { ...items, precisions: { ...precisions, find } };
}

/** Repeats random cases with operands that need no rounding. The error of rounded operands would hide the errors of sums. */
function heldOf(cases: readonly PlannedCase[], { precisions, inputs }: CaseItems): PlannedCase[] {
  return cases.flatMap((value) => {
    const { m, k, n, input, precision } = value.problem;
    const { a, multiplied } = precisions.find(precision);
    const isSeen = multiplied === a || inputs.find(input).statistics !== 'random' || m * k * n === 0;
    return isSeen ? [] : [{ ...changeCase(value, { edit: 'held' }), series: false }];
  });
}

/** Draws the random part of a campaign, with shapes of every class that the kernel accepts. */
function drawn(campaign: Campaign, spec: UserKernel, items: CaseItems): readonly PlannedCase[] {
  const { draws } = campaign;
  if (draws === undefined) return [];
  // Beyond k·u = 1/2 there may be no bound: γ_k is infinite from k·u = 1 on, and u twice as large on some devices.
  const { precision = 'f32', claims } = spec;
  const format = items.precisions.find(precision);
  const longest = Math.min(
    0.5 / narrowestSums(format, assumed, claims?.arithmetic).unitRoundoff,
    longestInParts(claims),
  );
  const takes = (sizes: BatchedShape) =>
    sizes.k <= longest && whyNotComputed(spec, askedFor(sizes)) === undefined;
  const random = createRandom(draws.seed, SMALL);
  const every = (most: number) => everySize(random, most, takes);
  const features = campaign.plain ? {} : acceptsOf(spec);
  const rich = (all: readonly BatchedShape[]) => richVariations(features, all, random);
  const ops = features.conjugated === true ? COMPLEX_OPS : OPS;
  const withEachOp = (all: readonly BatchedShape[]) => rich(all).map(assignOpsInTurn(ops));
  const varies = variations(features, 1, draws.seed).length > 0;
  const kinds: readonly (readonly [sizes: readonly BatchedShape[], drawing: Partial<DrawOptions>])[] = [
    [drawSizes(draws, takes), {}],
    [shapesOfGrams(random), { ...FEW, ...GRAMS }],
    [shapesOfNothing(random), { ...FEW, variations: rich }],
    [every(draws.sizes), FEW],
    [shapesOfOnes(random), { ...FEW, variations: withEachOp }],
    [thinShapes(random, features.transposed === true ? ops.length : 1), { ...FEW, variations: withEachOp }],
    [varies ? every(draws.sizes / 2) : [], { ...FEW, variations: rich }],
    [alignedShapes(random), FEW],
    [
      varies ? tinyShapes(random) : [],
      { ...FEW, variations: ({ length }) => variations(features, length, draws.seed + 1) },
    ],
    [
      features.alpha === true ? tinyShapes(random).slice(0, UNREAD) : [],
      { ...FEW, entries: POISONED, variations: (all) => rich(all).map((own) => ({ ...own, alpha: 0 })) },
    ],
  ];
  const cases = kinds.flatMap(([sizes, drawing]) =>
    drawnFor(campaign, spec, items, sizes.filter(takes), drawing),
  );
  const designed = withRepeats(cases, isQuick(spec));
  const all = mergeEvenly(designed, wildOf(campaign, spec, items, takes));
  const among = withPrograms(all, programsOf(campaign, spec, items), createRandom(draws.seed, PROGRAMS));
  const isSweeping = isSwept(spec, format) && filterFamilies(campaign)(integers.name);
  const swept = (shape: Shape, seed: number) => casesOf(spec, integers.name, shape, seed, items)[0];
  return isSweeping ? [...among, ...drawSweeps(draws, takes, swept)] : among;
}

/** Returns the number of programs for a kernel: a third where its calls are slow, none where only A·B of dense matrices is tested. */
function programsOf({ draws, plain }: Campaign, spec: UserKernel, { precisions }: CaseItems): number {
  const { precision = 'f32' } = spec;
  if (draws === undefined || plain || whyNoPrograms(precisions.find(precision)) !== undefined) return 0;
  return Math.ceil(draws.programs / (isQuick(spec) ? 1 : 3));
}

/** True if calls of a kernel cost little. */
const isQuick = (spec: UserKernel): boolean => 'multiply' in spec && spec.usesAdapter !== true;

/** Returns cases without a design, of products as programs compute them. */
function wildOf(
  campaign: Campaign,
  spec: UserKernel,
  items: CaseItems,
  takes: (sizes: BatchedShape) => boolean,
): PlannedCase[] {
  const { seed } = campaign.draws as DrawParameters;
  const features = campaign.plain ? {} : acceptsOf(spec);
  const random = createRandom(seed, WILD);
  const variations = (all: readonly BatchedShape[]) => wildVariations(features, all, random);
  const sizes = wildSizes(random, features.batch === true).filter(takes);
  const wild = drawnFor(campaign, spec, items, sizes, { few: true, entries: WILD_ENTRIES, variations });
  return repeatAtRandom(wild, random);
}

const FEW: Partial<DrawOptions> = { few: true };

/** Layouts of a matrix times its transpose, where both are the same in memory. */
const OF_ONE_MATRIX: readonly Variation[] = [
  { b: { ...plainStorage, op: 't' } },
  { a: { ...plainStorage, op: 't' } },
];
const GRAMS: Partial<DrawOptions> = {
  entries: [['integers', 'gram']],
  variations: (all) => all.map((_, at) => OF_ONE_MATRIX[at % OF_ONE_MATRIX.length]),
};

/** Number of products with alpha = 0, and their entries: a kernel that reads A or B shows it by NaN. */
const UNREAD = 12;
const POISONED: DrawOptions['entries'] = [
  ['integers', 'nan:row'],
  ['integers', 'nan:column'],
  ['integers', 'nan:last'],
];

/** A stream that no family draws from. */
const SMALL = 3101;
/** Further streams that no family draws from. */
const [WILD, PROGRAMS] = [3102, 3103];

const askedFor = ({ batch = 1, ...shape }: BatchedShape): Gemm => ({ ...plainGemm(shape), batch });

function drawnFor(
  campaign: Campaign,
  spec: UserKernel,
  items: CaseItems,
  sizes: readonly BatchedShape[],
  drawing: Partial<DrawOptions> = {},
): PlannedCase[] {
  const { seed } = campaign.draws as DrawParameters;
  const { name, precision = 'f32', claims = {} } = spec;
  const target = {
    kernel: name,
    limits: {
      precision: items.precisions.find(precision),
      growth: sharedGrowth(claimedAlgorithmFor(claims, { m: 1, k: 1, n: 1 }, items.algorithms).table),
    },
    refuses: (asked: Shape | Gemm) => whyNotComputed(spec, asked),
    claimed: (shape: Shape) => claimedAlgorithmFor(claims, shape, items.algorithms).levels,
  };
  const features = campaign.plain ? {} : acceptsOf(spec);
  const cases = drawCases(sizes, () => target, {
    ...{ seed, features, inputs: filterFamilies(campaign), items, claims },
    ...drawing,
  });
  return drawing.few === true ? cases : [...cases, ...heldOf(cases, items)];
}

/** The other sizes of a shape with one size where a code path begins. */
const OTHERS: Shape = { m: 19, k: 23, n: 29 };

/**
 * Draws the cases of an external kernel just before, at and just after sizes where it seems to change its code path. Our own kernels get
 * none.
 */
export const drawCasesAround =
  (campaign: Campaign, catalog: KernelCatalog) =>
  (kernel: string, around: NearbySizes): PlannedCase[] => {
    const given = catalog.external(kernel);
    if (given === undefined || campaign.draws === undefined) return [];
    const spec = asGeneral(given);
    const shapes = (['m', 'k', 'n'] as const).flatMap((key) =>
      (around[key] ?? []).flatMap((at) => [at - 1, at, at + 1].map((size) => ({ ...OTHERS, [key]: size }))),
    );
    const cases = drawnFor(
      campaign,
      withoutEpilogues(spec),
      withClaimedSums(catalog, spec),
      shapes.filter((shape) => whyNotComputed(spec, shape) === undefined),
    );
    const shown = withStructures(cases, given, campaign.draws.seed, catalog);
    return withClaimedEntries(withEpilogues(shown, given, catalog, campaign.seed), catalog);
  };

function series({ inputs, seed, replicates }: Campaign, spec: UserKernel, items: CaseItems): PlannedCase[] {
  const precision = items.precisions.find(spec.precision ?? 'f32');
  return SERIES_INPUTS.filter((input) => inputs.includes(input)).flatMap((input) => {
    const longest = items.inputs.find(input).randomUpTo(precision);
    const sizes = SERIES_SIZES.filter((size) => {
      const square = { m: size, k: size, n: size };
      return size <= longest && whyNotComputed(spec, square) === undefined;
    });
    const seeds = Math.min(replicates, input === 'uniform' ? replicates : 1);
    return sizes.flatMap((size) =>
      Array.from({ length: seeds }, (_, r) => r).flatMap((r) =>
        casesOf(spec, input, { m: size, k: size, n: size }, seed + r, items).map((value) => ({
          ...value,
          series: true,
          detailed: r === 0 && size === sizes.at(-1),
        })),
      ),
    );
  });
}
