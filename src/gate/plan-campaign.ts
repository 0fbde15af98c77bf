import { isOfComplex } from '../algorithms/algorithms.ts';
import { growthOfKernel } from '../algorithms/growth.ts';
import type { InputFamily } from '../inputs/input.ts';
import type { IntegerLimits } from '../inputs/integer-budget.ts';
import { integers } from '../inputs/integers.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import { acceptsOf } from '../kernels/check-kernel.ts';
import { builtinCatalog, type KernelCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { everythingGrouped, withComplex } from '../matrix/features.ts';
import type { Precision } from '../precision/precision.ts';
import { hasShaders } from '../precision/precisions.ts';
import { type Case, type CaseFields, caseOf, changeCase, formatCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, filterFamilies, SERIES_INPUTS, SERIES_SIZES } from './campaign.ts';
import { withEpilogues, withoutEpilogues } from './epilogue-sample.ts';
import { externalCases } from './external-campaign.ts';
import { listEdgeCases, withVariations } from './gemm-sample.ts';
import { ownEpilogueCases } from './own-epilogue-cases.ts';
import { countShapeProducts, drawCases, drawSizes } from './sampler.ts';
import { asGeneral, isOnlyStructured, withStructures } from './structured-cases.ts';
import { withClaimedEntries } from './with-claimed-entries.ts';

/**
 * Plans the cases of a campaign. Cases of one input stay together. Every kernel meets every level and input on `shapesEach` shapes, in
 * rotation, with fringes and tails in rotation. Every level, fringe and tail on integers of an awkward shape follow, then the growth series
 * of each algorithm. A combination that an input refuses (a square pair on a rectangle, integers that could not stay exact) moves to the
 * next accepted shape, or is left out where there is none. External kernels run in the precision that they claim.
 * @throws ParanoiaError `unknown-name`
 */
export function planCampaign(campaign: Campaign, catalog: KernelCatalog = builtinCatalog): PlannedCase[] {
  const named = [...new Set(campaign.kernels.flatMap((pattern) => catalog.expand(pattern)))];
  const kernels = named.filter((name) => catalog.external(name) === undefined);
  const external = named.flatMap((name): UserKernel[] => {
    const spec = catalog.external(name);
    return spec === undefined ? [] : [spec];
  });
  const own = precisionsIn(campaign, catalog).flatMap((precision) => {
    return [
      ...broad(campaign, kernels, precision, catalog),
      ...combinations(campaign, kernels, precision, catalog),
      ...edges(campaign, kernels, precision, catalog),
      ...growthSeries(campaign, kernels, precision, catalog),
      ...drawn(campaign, kernels, precision, catalog),
    ];
  });
  const taken = own.filter(({ kernel, method }) => method.levels <= mostLevelsOf(kernel, catalog));
  const products = [
    ...taken,
    ...external.flatMap((spec) => externalCases(campaign, asGeneral(withoutEpilogues(spec)), catalog)),
  ];
  const takes = (kernel: string) => {
    const spec = catalog.external(kernel);
    return spec === undefined ? everythingGrouped : acceptsOf(spec);
  };
  const once = distinct(products);
  const met = campaign.plain ? once : distinct(withVariations(once, takes, campaign.seed));
  const structured = external.reduce(
    (cases, spec) => {
      const isOwn = ({ kernel }: PlannedCase) => kernel === spec.name;
      if (campaign.plain && !isOnlyStructured(spec)) return cases;
      const own = withStructures(cases.filter(isOwn), spec, campaign.seed, catalog);
      return [...cases.filter((value) => !isOwn(value)), ...own];
    },
    distinct(withClaimedEntries(met, catalog)),
  );
  const all = external.reduce(
    (cases, spec) => withEpilogues(cases, spec, catalog, campaign.seed),
    structured,
  );
  const isOurs = ({ kernel, problem }: PlannedCase, { name }: Precision) =>
    kernels.includes(kernel) && problem.precision === name;
  const behind = campaign.plain
    ? []
    : precisionsIn(campaign, catalog).flatMap((precision) =>
        ownEpilogueCases(
          all.filter((value) => isOurs(value, precision)),
          precision,
        ),
      );
  return inOrder(distinct([...all, ...behind]), campaign.inputs);
}

/** Returns the most levels of one of our kernels: one, where blocks of its factors lack their form. */
const mostLevelsOf = (kernel: string, { algorithms }: CaseItems): number =>
  isOfComplex(algorithms.find(kernel.split(':')[0])) ? 1 : Number.POSITIVE_INFINITY;

/** Name for every registered precision that our kernels compute in. */
const ALL_PRECISIONS = 'all';

const precisionsIn = ({ precisions }: Campaign, catalog: KernelCatalog): readonly Precision[] =>
  precisions.includes(ALL_PRECISIONS)
    ? catalog.precisions.items.filter(hasShaders)
    : precisions.map((name) => catalog.precisions.find(name));

/** Returns each case once. */
const distinct = (cases: readonly PlannedCase[]): PlannedCase[] => [
  ...new Map(cases.map((value) => [formatCase(value), value])).values(),
];

/** Most levels with several shapes. Each further level costs seven times more, so deeper kernels meet one shape of each input. */
const SHALLOW = 2;

/** Offset of the first shape between inputs. It is coprime to the number of default shapes. */
const SHIFT = 5;

function broad(
  { inputs, levels, shapes, fringes, tails, seed, shapesEach }: Campaign,
  kernels: readonly string[],
  precision: Precision,
  items: CaseItems,
) {
  const cases: PlannedCase[] = [];
  let turn = 0;
  for (const [at, name] of inputs.entries()) {
    const family = items.inputs.find(name);
    for (const level of levels) {
      for (const kernel of kernels) {
        const accepted = acceptedShapes(
          family,
          { levels: level, growth: growthOfKernel(kernel, items.algorithms), precision },
          shapes,
        );
        const most = shapesEach === 'all' ? accepted.length : level > SHALLOW ? 1 : shapesEach;
        const each = Math.min(most, accepted.length);
        for (let s = 0; s < each; s++) {
          const fringe = fringes[turn % fringes.length];
          const tail = tails[Math.floor(turn / fringes.length) % tails.length];
          // Kernels, levels and shapes have common divisors. Without an offset, each kernel would repeat its shapes.
          const shape = accepted[(turn + SHIFT * at) % accepted.length];
          cases.push(
            planned({
              kernel,
              levels: level,
              fringe,
              tail,
              input: name,
              ...shape,
              seed,
              precision: precision.name,
            }),
          );
          turn++;
        }
      }
    }
  }
  return cases;
}

/** A shape that no tile and no power of two divides. */
const AWKWARD: Shape = { m: 43, k: 29, n: 51 };

function combinations(
  campaign: Campaign,
  kernels: readonly string[],
  precision: Precision,
  items: CaseItems,
) {
  const { inputs, levels, fringes, tails, seed } = campaign;
  if (!campaign.combinations || !inputs.includes(integers.name)) return [];
  const isPossible = (kernel: string, level: number) =>
    integers.accepts({
      ...AWKWARD,
      levels: level,
      growth: growthOfKernel(kernel, items.algorithms),
      precision,
    }).ok;
  return levels.flatMap((level) =>
    fringes.flatMap((fringe) =>
      tails.flatMap((tail) =>
        kernels
          .filter((kernel) => isPossible(kernel, level))
          .map((kernel) =>
            planned({
              ...{ kernel, levels: level, fringe, tail, input: integers.name, ...AWKWARD, seed },
              precision: precision.name,
            }),
          ),
      ),
    ),
  );
}

/** Plans rare edge cases: each once, by one kernel of each algorithm in turn, with zero levels and with one. */
function edges(
  campaign: Campaign,
  kernels: readonly string[],
  precision: Precision,
  items: CaseItems,
): PlannedCase[] {
  if (campaign.plain || !campaign.combinations) return [];
  const levels = campaign.levels.filter((level) => level <= 1);
  const first = new Map([...kernels].reverse().map((kernel) => [kernel.split(':')[0], kernel]));
  const ways = [...first.values()].flatMap((kernel) => levels.map((level) => ({ kernel, level })));
  const accepted = listEdgeCases('any', withComplex(everythingGrouped, precision.complex === true), {
    ...{ seed: campaign.seed, precision: precision.name },
  });
  return ways
    .flatMap(({ kernel, level }, turn) =>
      accepted
        .filter((_, at) => at % ways.length === turn)
        .map((value) => changeCase(value, { kernel, levels: level })),
    )
    .filter((value) => isMade(value, campaign, precision, items))
    .map((value) => ({ ...value, series: false }));
}

function isMade(
  { kernel, problem, method }: Case,
  { inputs }: Campaign,
  precision: Precision,
  items: CaseItems,
): boolean {
  const { input, m, k, n } = problem;
  const limits = { levels: method.levels, growth: growthOfKernel(kernel, items.algorithms), precision };
  return inputs.includes(input) && items.inputs.find(input).accepts({ m, k, n, ...limits }).ok;
}

/** Limits of the drawn products of our own kernels. There are many of these kernels, and the growth series has large products. */
const OWN_EXTENT = {
  ...{ extent: { products: 2 ** 17, entries: 2 ** 17 }, largest: 2 ** 17 },
  ...{ rounds: 1, sizes: 0, programs: 0, sweeps: 0 },
};

/** Each of our kernels runs one drawn shape in this many. Another seed selects others. */
const OWN_EVERY = 3;

/** Most products of one level: blocks of 3 by 3 by 3 have 27. */
const MOST_OF_LEVEL = 27;

/** Most leaf products of a batch. Our kernels compute each in a dispatch of its own, so longer batches test nothing new. */
const MOST_LEAVES = 2 ** 14;

/** Plans drawn shapes, each for one of the kernels at one of the levels in turn. */
function drawn(
  campaign: Campaign,
  kernels: readonly string[],
  precision: Precision,
  items: CaseItems,
): PlannedCase[] {
  const { draws, levels } = campaign;
  if (draws === undefined || kernels.length === 0) return [];
  const shallow = levels.filter((level) => level <= SHALLOW);
  const ways = kernels.flatMap((kernel) => shallow.map((level) => ({ kernel, levels: level })));
  const all = drawSizes({ seed: draws.seed, ...OWN_EXTENT }, ({ batch = 1 }) => batch <= MOST_LEAVES);
  const sizes = all.filter((_, at) => at % OWN_EVERY === draws.seed % OWN_EVERY);
  const who = (at: number) => {
    const { kernel, levels: deep } = ways[at % ways.length];
    const isMany = (sizes[at].batch ?? 1) * MOST_OF_LEVEL ** deep > MOST_LEAVES;
    const way = { kernel, levels: isMany ? 0 : deep };
    const growth = growthOfKernel(way.kernel, items.algorithms);
    return { ...way, limits: { precision, growth }, refuses: () => undefined };
  };
  const features = campaign.plain ? {} : withComplex(everythingGrouped, precision.complex === true);
  return drawCases(sizes, who, {
    seed: draws.seed,
    features,
    inputs: filterFamilies(campaign),
    items,
    few: true,
  });
}

/** Plans the growth series. Sizes beyond those with random errors of the family are left out: no series is judged there. */
function growthSeries(
  { inputs, levels, seed, replicates }: Campaign,
  kernels: readonly string[],
  precision: Precision,
  items: CaseItems,
) {
  const byAlgorithm = new Map(kernels.map((kernel) => [kernel.split(':')[0], kernel]));
  const cases: PlannedCase[] = [];
  for (const kernel of byAlgorithm.values()) {
    for (const input of SERIES_INPUTS.filter((name) => inputs.includes(name))) {
      // There is one inverse pair for each size, so it has no replicates.
      const seeds = Math.min(replicates, input === 'uniform' ? replicates : 1);
      // Beyond k·u = 1/2 there may be no bound: γ_k is infinite from k·u = 1 on, and u twice as large on some devices.
      const bounded = 0.5 / precision.accumulated.unitRoundoff;
      const longest = Math.min(items.inputs.find(input).randomUpTo(precision), bounded);
      const sizes = SERIES_SIZES.filter((size) => size <= longest);
      for (const size of sizes) {
        for (let r = 0; r < seeds; r++) {
          for (const level of levels) {
            const shape = { m: size, k: size, n: size };
            const growth = growthOfKernel(kernel, items.algorithms);
            if (!items.inputs.find(input).accepts({ ...shape, levels: level, growth, precision }).ok)
              continue;
            const value = {
              kernel,
              levels: level,
              input,
              ...shape,
              seed: seed + r,
              precision: precision.name,
            };
            const detailed = r === 0 && size === sizes.at(-1);
            cases.push({ ...planned(value), series: true, detailed });
          }
        }
      }
    }
  }
  return cases;
}

const planned = (said: CaseFields): PlannedCase => ({ ...caseOf(said), series: false });

function acceptedShapes(family: InputFamily, limits: IntegerLimits, shapes: readonly Shape[]): Shape[] {
  return shapes.filter((shape) => family.accepts({ ...shape, ...limits }).ok);
}

/** Binary logarithm of the multiplications up to which cases come in any order; and the sort key of the small cases that come last. */
const [SOON, LATE] = [21, 99];
/** One in this many small drawn cases runs after the largest ones, which may leave state behind. */
const LATER = 10;

/**
 * Sorts the cases of a campaign. Large products come last, from small to large, with some small ones after them. Drawn cases
 * come before the others, as they are drawn, so that a budget that ends early has seen sizes of all classes. Products of the same sizes
 * follow one another. The rest is ordered by input, as the campaign lists them.
 */
function inOrder(cases: readonly PlannedCase[], inputs: readonly string[]): PlannedCase[] {
  const listed = ({ problem, method, kernel }: PlannedCase) => [
    inputs.indexOf(problem.input),
    problem.m * problem.k * problem.n,
    problem.m,
    problem.n,
    problem.seed,
    method.levels,
    method.fringe,
    kernel,
  ];
  const sizeOf = ({ problem, drawn = false }: PlannedCase) => {
    const size = Math.max(SOON, Math.ceil(Math.log2(countShapeProducts(problem))));
    const isLater = drawn && size === SOON && problem.program === 0 && problem.seed % LATER === 0;
    return isLater ? LATE : size;
  };
  const key = (c: PlannedCase) => [
    sizeOf(c),
    c.drawn === true ? 0 : 1,
    c.problem.precision === 'f32' ? '' : c.problem.precision,
    ...(c.drawn === true ? [] : listed(c)),
  ];
  return cases
    .map((value) => ({ value, parts: key(value) }))
    .sort(({ parts: x }, { parts: y }) => {
      const at = x.findIndex((part, i) => part !== y[i]);
      return at < 0 ? 0 : x[at] < y[at] ? -1 : 1;
    })
    .map(({ value }) => value);
}
