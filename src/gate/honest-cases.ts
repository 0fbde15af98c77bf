import { type PrecisionName, precisions } from '../formats/precision.ts';
import { exceeds } from '../gpu/leaves/leaf.ts';
import { leaves } from '../gpu/leaves/leaves.ts';
import { inputs } from '../inputs/inputs.ts';
import { type Random, seeded } from '../inputs/random.ts';
import { allBuiltinNames, builtinNames } from '../kernel/builtin.ts';
import { borders, edges } from '../plan/plan.ts';
import type { PlannedCase } from './campaign.ts';

/** What every device has, and has quickly: leaf kernels that need more are for GPUs. */
const MODEST = { limits: { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 4096 } };
const demanding = leaves.filter((leaf) => exceeds(leaf, MODEST) !== undefined).map(({ name }) => name);
const EVERYWHERE = allBuiltinNames.filter((name) => !demanding.includes(name.split(':')[1]));

/** The stream of {@link seeded} that cases are drawn from; those of their entries come from their own seeds. */
const STREAM = 0;

/**
 * So many cases, drawn at random from all that built-in kernels can be asked: every algorithm with every leaf, level,
 * border, edge, precision and input family, in shapes that are mostly small. Half are in binary32.
 * @param served the precisions of the device.
 */
export function honestCases(count: number, seed: number, served: readonly PrecisionName[]): PlannedCase[] {
  const random = seeded(seed, STREAM, 'coarse');
  return Array.from({ length: count }, () => honestCase(random, served));
}

/** Draws until an input family accepts the shape, which the families of integers and pairs often do not. */
function honestCase(random: Random, served: readonly PrecisionName[]): PlannedCase {
  const others = served.filter((name) => name !== 'f32');
  const precision = others.length === 0 || random.sign() > 0 ? 'f32' : pick(random, others);
  for (;;) {
    const family = pick(random, inputs);
    const levels = pick(random, LEVELS);
    const drawn = { m: size(random), k: size(random), n: size(random) };
    // One shape in four is square: some families have no others.
    const shape = random.int(1, 4) === 1 ? { m: drawn.m, k: drawn.m, n: drawn.m } : drawn;
    if (!family.accepts({ ...shape, levels, precision: precisions[precision] }).ok) continue;
    return {
      // Leaf families choose among the fixed tiles by shape; shaders of wide precisions are slow to compile.
      kernel: pick(random, precision === 'f32' ? EVERYWHERE : builtinNames),
      levels,
      border: pick(random, borders),
      edge: pick(random, edges),
      input: family.name,
      ...shape,
      seed: random.bits(),
      ...(precision === 'f32' ? {} : { precision }),
      series: false,
    };
  }
}

/** Deeper levels cost seven times more each. */
const LEVELS = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3];
/** Sides of tiles, and sums of them: shapes at their edges are drawn on purpose. */
const TILES = [4, 8, 16, 32, 64];
/** Sizes are below 2^LARGEST. */
const LARGEST = 6.5;

/** One size in three is a tile's side or one beside it; the others are even on a logarithmic scale, from 1 to 90. */
function size(random: Random): number {
  if (random.int(1, 3) === 1) return pick(random, TILES) + random.int(-1, 1);
  return Math.floor(2 ** random.uniform(0, LARGEST));
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random.int(0, from.length - 1)];
