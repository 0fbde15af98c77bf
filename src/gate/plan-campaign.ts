import { type Precision, precisions } from '../formats/precision.ts';
import type { InputFamily } from '../inputs/input.ts';
import { findInput } from '../inputs/inputs.ts';
import { integers } from '../inputs/integers.ts';
import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import type { UserKernel } from '../kernel/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { type Campaign, type PlannedCase, SERIES_INPUTS, SERIES_SIZES } from './campaign.ts';
import { foreignCases } from './foreign-campaign.ts';

/**
 * The cases of a campaign, in an order that keeps cases of one input together. Every kernel meets every level and
 * input on `shapesEach` shapes, taken in turn, with borders and edges in turn; then every level, border and edge on
 * integers of an awkward shape; then, for each algorithm, the growth series. Combinations that an input
 * refuses (a square pair on a rectangle, integers that could not stay exact) are replaced by the next shape it
 * accepts, or left out where it accepts none. Kernels that are not ours are run in the precision they claim.
 * @throws Problem `unknown-name`
 */
export function planCampaign(campaign: Campaign, catalogue: Catalogue = builtinCatalogue): PlannedCase[] {
  const named = [...new Set(campaign.kernels.flatMap((pattern) => catalogue.expand(pattern)))];
  const kernels = named.filter((name) => catalogue.foreign(name) === undefined);
  const foreign = named.flatMap((name): UserKernel[] => {
    const spec = catalogue.foreign(name);
    return spec === undefined ? [] : [spec];
  });
  const planned = campaign.precisions.flatMap((name) => {
    const precision = precisions[name];
    return [
      ...broad(campaign, kernels, precision),
      ...combinations(campaign, kernels, precision),
      ...growthSeries(campaign, kernels, precision),
    ].map((value) => (name === 'f32' ? value : { ...value, precision: name }));
  });
  const all = [...planned, ...foreign.flatMap((spec) => foreignCases(campaign, spec))];
  const distinct = new Map(
    all.map((value) => [JSON.stringify({ ...value, series: false, detailed: false }), value]),
  );
  return [...distinct.values()].sort(inOrder(campaign.inputs));
}

/** Deeper recursion costs seven times more a level: from here on kernels meet one shape of each input. */
const SHALLOW = 2;

/** How many shapes further each input begins: prime to the number of default shapes. */
const SHIFT = 5;

function broad(
  { inputs, levels, shapes, borders, edges, seed, shapesEach }: Campaign,
  kernels: readonly string[],
  precision: Precision,
) {
  const cases: PlannedCase[] = [];
  let turn = 0;
  for (const [at, name] of inputs.entries()) {
    const family = findInput(name);
    for (const level of levels) {
      const accepted = acceptedShapes(family, level, shapes, precision);
      if (accepted.length === 0) continue;
      const most = shapesEach === 'all' ? accepted.length : level > SHALLOW ? 1 : shapesEach;
      const each = Math.min(most, accepted.length);
      for (const kernel of kernels) {
        for (let s = 0; s < each; s++) {
          const border = borders[turn % borders.length];
          const edge = edges[Math.floor(turn / borders.length) % edges.length];
          // Kernels, levels and shapes have common divisors: without a shift, each kernel would meet its shapes again.
          const shape = accepted[(turn + SHIFT * at) % accepted.length];
          cases.push({ kernel, levels: level, border, edge, input: name, ...shape, seed, series: false });
          turn++;
        }
      }
    }
  }
  return cases;
}

/** A shape that no tile and no power of two divides. */
const AWKWARD: Shape = { m: 43, k: 29, n: 51 };

function combinations(campaign: Campaign, kernels: readonly string[], precision: Precision) {
  const { inputs, levels, borders, edges, seed } = campaign;
  if (!campaign.combinations || !inputs.includes(integers.name)) return [];
  const possible = levels.filter((level) => integers.accepts({ ...AWKWARD, levels: level, precision }).ok);
  return possible.flatMap((level) =>
    borders.flatMap((border) =>
      edges.flatMap((edge) =>
        kernels.map((kernel): PlannedCase => {
          return {
            kernel,
            levels: level,
            border,
            edge,
            input: integers.name,
            ...AWKWARD,
            seed,
            series: false,
          };
        }),
      ),
    ),
  );
}

/** Sizes beyond what a family's errors are random for are left out: at those no series is judged. */
function growthSeries(
  { inputs, levels, seed, replicates }: Campaign,
  kernels: readonly string[],
  precision: Precision,
) {
  const byAlgorithm = new Map(kernels.map((kernel) => [kernel.split(':')[0], kernel]));
  const cases: PlannedCase[] = [];
  for (const kernel of byAlgorithm.values()) {
    for (const input of SERIES_INPUTS.filter((name) => inputs.includes(name))) {
      // The inverse pair is one pair a size: it has no replicates.
      const seeds = Math.min(replicates, input === 'uniform' ? replicates : 1);
      const longest = findInput(input).randomUpTo(precision);
      const sizes = SERIES_SIZES.filter((size) => size <= longest);
      for (const size of sizes) {
        for (let r = 0; r < seeds; r++) {
          for (const level of levels) {
            const shape = { m: size, k: size, n: size };
            cases.push({
              kernel,
              levels: level,
              border: 'pad',
              edge: 'guard',
              input,
              ...shape,
              seed: seed + r,
              series: true,
              detailed: r === 0 && size === sizes.at(-1),
            });
          }
        }
      }
    }
  }
  return cases;
}

function acceptedShapes(
  family: InputFamily,
  levels: number,
  shapes: readonly Shape[],
  precision: Precision,
): Shape[] {
  return shapes.filter((shape) => family.accepts({ ...shape, levels, precision }).ok);
}

/** By input, as the campaign lists them, then from small to large, cases of one input together. */
function inOrder(inputs: readonly string[]): (x: PlannedCase, y: PlannedCase) => number {
  const key = (c: PlannedCase) =>
    [
      c.precision ?? '',
      inputs.indexOf(c.input),
      c.m * c.k * c.n,
      c.m,
      c.n,
      c.seed,
      c.levels,
      c.border,
      c.kernel,
    ] as const;
  return (x, y) => {
    const [a, b] = [key(x), key(y)];
    const at = a.findIndex((part, i) => part !== b[i]);
    return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
  };
}
