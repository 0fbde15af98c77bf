import type { Shape } from '../matrix/dense.ts';
import { type Fringe, fringes, type Tail, tails } from '../problem/method.ts';
import type { DrawParameters } from './sampler.ts';

/** The scope of a campaign. */
export interface Campaign {
  /** Names or patterns of kernels. @defaultValue every built-in algorithm with every leaf family */
  readonly kernels: readonly string[];
  /** Families of test matrices. @defaultValue {@link defaultInputs} */
  readonly inputs: readonly string[];
  /** Levels of recursion. @defaultValue 0, 1, 2, 3 */
  readonly levels: readonly number[];
  /** Shapes of each kernel. @defaultValue {@link defaultShapes} */
  readonly shapes: readonly Shape[];
  /** Names of precisions. @defaultValue f32 alone */
  readonly precisions: readonly string[];
  readonly fringes: readonly Fringe[];
  readonly tails: readonly Tail[];
  /** Seed of the fixed cases. @defaultValue 1 */
  readonly seed: number;
  /** Cases drawn at random besides the fixed ones. @defaultValue none: the caller of a campaign gives its seed */
  readonly draws?: DrawParameters | undefined;
  /** Seeds for each point of the growth series. 0 leaves the series out. @defaultValue 3 */
  readonly replicates: number;
  /** Number of shapes for each kernel, level and input, in rotation; from three levels on, one. 'all' means every shape. @defaultValue 2 */
  readonly shapesEach: number | 'all';
  /** True if every fringe and tail is also tested with integers of an awkward shape. @defaultValue true */
  readonly combinations: boolean;
  /** True if only A·B of dense matrices is computed: no sizes of 0, factors, batches or layouts. @defaultValue false */
  readonly plain: boolean;
}

/** The families of the default campaign. Each reveals another kind of fault in binary32. */
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

/** The shapes of the default campaign: 1, primes, tile and power-of-two edges ±1, thin, fat and long. Their number is no multiple of 5. */
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
  fringes,
  tails,
  seed: 1,
  replicates: 3,
  shapesEach: 2,
  combinations: true,
  plain: false,
};

/** Returns the filter of families for draws: all, unless a campaign names other families than the default. */
export const filterFamilies = ({ inputs }: Campaign) =>
  inputs === defaultInputs ? () => true : (name: string) => inputs.includes(name);
