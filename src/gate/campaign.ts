import { type Precision, type PrecisionName, precisions } from '../formats/precision.ts';
import type { InputFamily } from '../inputs/input.ts';
import { findInput } from '../inputs/inputs.ts';
import { integers } from '../inputs/integers.ts';
import { builtinCatalogue, type Catalogue } from '../kernel/catalogue.ts';
import type { UserKernel } from '../kernel/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { type Border, borders, type Edge, edges } from '../plan/plan.ts';
import type { Case } from './case.ts';
import { foreignCases } from './foreign-campaign.ts';

/** A case of a campaign; those of the growth series are also fitted. */
export interface PlannedCase extends Case {
  readonly series: boolean;
  /** Whether the result shows where its errors lie and how often they are how large. Default: no. */
  readonly detailed?: boolean;
}

/** What a campaign covers. */
export interface Campaign {
  /** Names or patterns of kernels. Default: every built-in algorithm with every leaf family. */
  readonly kernels: readonly string[];
  /** Default {@link defaultInputs}. */
  readonly inputs: readonly string[];
  /** Default 0, 1, 2, 3. */
  readonly levels: readonly number[];
  /** Shapes each kernel meets. Default {@link defaultShapes}. */
  readonly shapes: readonly Shape[];
  /** Default f32 alone. */
  readonly precisions: readonly PrecisionName[];
  readonly borders: readonly Border[];
  readonly edges: readonly Edge[];
  readonly seed: number;
  /** Seeds for each point of the growth series; 0 leaves the series out. Default 3. */
  readonly replicates: number;
  /**
   * How many of the shapes each kernel, level and input meets, in turn; from three levels on, one. Default 2; 'all'
   * for every one.
   */
  readonly shapesEach: number | 'all';
  /** Whether every border and edge also meets integers of an awkward shape. Default true. */
  readonly combinations: boolean;
}

/** The families of the default campaign: each shows another kind of fault in binary32. */
export const defaultInputs: readonly string[] = [
  'integers',
  'inverse-pair',
  'uniform',
  'uniform-2-5',
  'scaled-rows',
  'complementary-zeros',
  'wide-exponents',
  'special-values',
];

/** The shapes of the default campaign: 1, primes, tile and power-of-two edges ±1, thin, fat and long. */
export const defaultShapes: readonly Shape[] = (
  [
    [1, 1, 1],
    [2, 3, 5],
    [7, 7, 7],
    [1, 64, 1],
    [64, 1, 64],
    [13, 17, 19],
    [15, 16, 17],
    [16, 16, 16],
    [17, 15, 16],
    [31, 33, 32],
    [41, 37, 43],
    [63, 65, 64],
    [64, 64, 64],
    [65, 63, 64],
    [5, 200, 3],
    [3, 40, 131],
    [131, 40, 3],
    [129, 65, 33],
    [96, 96, 96],
    [97, 101, 103],
    [127, 129, 128],
  ] as const
).map(([m, k, n]) => ({ m, k, n }));

/** The sizes and inputs of the growth series. */
export const SERIES_SIZES = [32, 64, 128, 256];
export const SERIES_INPUTS = ['uniform', 'inverse-pair'];

export const defaultCampaign: Campaign = {
  kernels: ['classical', 'strassen', 'winograd'],
  inputs: defaultInputs,
  levels: [0, 1, 2, 3],
  shapes: defaultShapes,
  precisions: ['f32'],
  borders,
  edges,
  seed: 1,
  replicates: 3,
  shapesEach: 2,
  combinations: true,
};

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
