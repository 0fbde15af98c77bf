import { levelsWithin } from '../../src/algorithms/algorithm.ts';
import { growthOfKernel } from '../../src/algorithms/shared-growth.ts';
import { unknownName } from '../../src/base/messages.ts';
import { type Random, seeded } from '../../src/base/random.ts';
import { settled } from '../../src/fuzz/settled.ts';
import { exceeds } from '../../src/gpu/wgsl/leaves/leaf.ts';
import { leaves } from '../../src/gpu/wgsl/leaves/leaves.ts';
import { usualInputs } from '../../src/inputs/inputs.ts';
import { allBuiltinNames, builtinNames, parseKernelName } from '../../src/kernels/builtin-plan.ts';
import { everythingGrouped } from '../../src/matrix/features.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { parseCase } from '../../src/problem/case.ts';
import { drawFields } from '../../src/problem/draw-fields.ts';
import { type Dice, pick } from '../../src/problem/draws.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { honestNames, honestOf } from './kernels.ts';
import { honestSumCase } from './sum-cases.ts';

/** What every device has, and has quickly: leaf kernels that need more are for GPUs. */
const MODEST = { limits: { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 4096 } };
const demanding = leaves.filter((leaf) => exceeds(leaf, MODEST) !== undefined).map(({ name }) => name);
const EVERYWHERE = allBuiltinNames.filter((name) => !demanding.includes(name.split(':')[1]));

/** The stream of {@link seeded} that cases are drawn from; those of their entries come from their own seeds. */
const STREAM = 0;

/** One run of so many cases in eight is the device's, which is slow where it is software and computes them together. */
const TOGETHER = 24;
const ON_DEVICE = 8;

/**
 * So many cases, drawn at random: one in eight from all that built-in kernels can be asked, every algorithm with every leaf, level,
 * fringe, tail, precision and input family, alpha, beta, batches and layouts, in shapes that are mostly small, half of them in
 * binary32; the others from {@link honestSumCase}.
 * @param served the precisions of the device.
 */
export function honestCases(count: number, seed: number, served: readonly string[]): PlannedCase[] {
  const [random, sums] = [seeded(seed, STREAM, 'coarse'), seeded(seed, STREAM + 1, 'fine')];
  return Array.from({ length: count }, (_, at) =>
    Math.floor(at / TOGETHER) % ON_DEVICE === 0 ? honestCase(random, served) : honestSumCase(sums),
  );
}

/** A case of one of the kernels of this processor by its text. @throws ParanoiaError `bad-case`, `unknown-name` */
export function honestCaseOf(text: string): PlannedCase {
  const value = parseCase(text);
  const { kernel, problem } = value;
  if (honestOf({ kernel, precision: problem.precision }) !== undefined) return { ...value, series: false };
  const known = honestNames(problem.precision);
  throw unknownName({ what: 'honest kernel', given: kernel, known });
}

/** What cases are drawn from; deeper levels cost seven times more each, or more. */
const SPACE = {
  maxSize: 64,
  tiles: [4, 8, 16, 32, 64],
  levels: [0, 0, 0, 0, 1, 1, 1, 2, 2, 3],
  methods: true,
  inputs: usualInputs().map(({ name }) => name),
  features: everythingGrouped,
  edits: true,
};
const KEYS = [
  ...(['levels', 'fringe', 'tail', 'input', 'm', 'k', 'n', 'seed'] as const),
  ...(['batch', 'group', 'alpha', 'beta', 'a', 'b', 'c', 'd', 'edit'] as const),
];

function honestCase(random: Random, served: readonly string[]): PlannedCase {
  const dice: Dice = (least, most) => random.int(least, most);
  const others = served.filter((name) => name !== 'f32');
  const precision = others.length === 0 || random.sign() > 0 ? 'f32' : pick(dice, others);
  // Leaf families choose among the fixed tiles by shape; shaders of wide precisions are slow to compile.
  const kernel = pick(dice, precision === 'f32' ? EVERYWHERE : builtinNames);
  const most = levelsWithin(parseKernelName(kernel).table, MOST_PRODUCTS);
  const drawn = drawFields(KEYS, SPACE, dice);
  const levels = Math.min(drawn.levels ?? 0, most);
  const limits = { precision: precisions.find(precision), growth: growthOfKernel(kernel) };
  const found = settled({ ...drawn, levels }, { kernel, limits, refuses: () => undefined }, usualInputs());
  return found === undefined ? honestCase(random, served) : { ...found, series: false };
}

/** Three levels of Strassen's are 343 products, two of Laderman's 529. */
const MOST_PRODUCTS = 600;
