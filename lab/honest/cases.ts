import { countLevelsWithin } from '../../src/algorithms/algorithm.ts';
import { growthOfKernel } from '../../src/algorithms/growth.ts';
import { unknownName } from '../../src/base/messages.ts';
import { createRandom, type Random } from '../../src/base/random.ts';
import { settleFields } from '../../src/fuzz/settle-fields.ts';
import { whyExceeded } from '../../src/gpu/wgsl/leaves/leaf.ts';
import { leaves } from '../../src/gpu/wgsl/leaves/leaves.ts';
import { listDefaultInputs } from '../../src/inputs/inputs.ts';
import { allBuiltinNames, builtinNames, parseKernelName } from '../../src/kernels/builtin-plan.ts';
import { everythingGrouped } from '../../src/matrix/features.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { parseCase } from '../../src/problem/case.ts';
import { drawFields } from '../../src/problem/draw-fields.ts';
import { pickItem, type WholeNumberSource } from '../../src/problem/draws.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { honestNames, honestOf } from './kernels.ts';
import { honestSumCase } from './sum-cases.ts';

/** Limits that every device meets: leaf kernels that need more are for GPUs. */
const MODEST = { limits: { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 4096 } };
const demanding = leaves.filter((leaf) => whyExceeded(leaf, MODEST) !== undefined).map(({ name }) => name);
const EVERYWHERE = allBuiltinNames.filter((name) => !demanding.includes(name.split(':')[1]));

/** The stream of {@link createRandom} that cases are drawn from; their entries come from their own seeds. */
const STREAM = 0;

/** Cases come in runs of this length; one run in eight is the device's, which is slow in software and computes them together. */
const TOGETHER = 24;
const ON_DEVICE = 8;

/**
 * Draws cases. One in eight is of the built-in kernels, with every algorithm, leaf, level, fringe, tail, precision, input family,
 * alpha, beta, batch and layout; shapes are mostly small, and half of these cases are in binary32. The others come from {@link
 * honestSumCase}.
 * @param served the precisions of the device
 */
export function honestCases(count: number, seed: number, served: readonly string[]): PlannedCase[] {
  const [random, sums] = [createRandom(seed, STREAM, 'coarse'), createRandom(seed, STREAM + 1, 'fine')];
  return Array.from({ length: count }, (_, at) =>
    Math.floor(at / TOGETHER) % ON_DEVICE === 0 ? honestCase(random, served) : honestSumCase(sums),
  );
}

/** Parses a case of one of this processor's kernels. @throws ParanoiaError `bad-case`, `unknown-name` */
export function honestCaseOf(text: string): PlannedCase {
  const value = parseCase(text);
  const { kernel, problem } = value;
  if (honestOf({ kernel, precision: problem.precision }) !== undefined) return { ...value, series: false };
  const known = honestNames(problem.precision);
  throw unknownName({ what: 'honest kernel', given: kernel, known });
}

/** The space of drawn cases; each further level costs at least seven times more. */
const SPACE = {
  maxSize: 64,
  tiles: [4, 8, 16, 32, 64],
  levels: [0, 0, 0, 0, 1, 1, 1, 2, 2, 3],
  methods: true,
  inputs: listDefaultInputs().map(({ name }) => name),
  features: everythingGrouped,
  edits: true,
};
const KEYS = [
  ...(['levels', 'fringe', 'tail', 'input', 'm', 'k', 'n', 'seed'] as const),
  ...(['batch', 'group', 'alpha', 'beta', 'a', 'b', 'c', 'd', 'edit'] as const),
];

function honestCase(random: Random, served: readonly string[]): PlannedCase {
  const dice: WholeNumberSource = (least, most) => random.int(least, most);
  const others = served.filter((name) => name !== 'f32');
  const precision = others.length === 0 || random.sign() > 0 ? 'f32' : pickItem(dice, others);
  // Leaf families choose a fixed tile by the shape; shaders of wide precisions compile slowly.
  const kernel = pickItem(dice, precision === 'f32' ? EVERYWHERE : builtinNames);
  const most = countLevelsWithin(parseKernelName(kernel).table, MOST_PRODUCTS);
  const drawn = drawFields(KEYS, SPACE, dice);
  const levels = Math.min(drawn.levels ?? 0, most);
  const limits = { precision: precisions.find(precision), growth: growthOfKernel(kernel) };
  const found = settleFields(
    { ...drawn, levels },
    { kernel, limits, refuses: () => undefined },
    listDefaultInputs(),
  );
  return found === undefined ? honestCase(random, served) : { ...found, series: false };
}

/** Three levels of Strassen's algorithm have 343 products, two of Laderman's 529. */
const MOST_PRODUCTS = 600;
