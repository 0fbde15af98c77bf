import { createRandom } from '../base/random.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Precision } from '../precision/precision.ts';
import { isComplex } from '../precision/precisions.ts';
import { changeCase } from '../problem/case.ts';
import { SWEEPS, sweptShapes } from '../problem/special-shapes.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { DrawParameters } from './sampler.ts';

/** Products of a sweep, the fewest that make one, and the most shapes among which they are looked for. */
const [PRODUCTS, FEWEST, SHAPES] = [200, 8, 1000];
/** A random stream that no family draws from, and the largest multiple of `SWEEPS` where the seeds of sweeps may start. */
const [STREAM, MOST_SEED] = [3104, 99_999];

/**
 * Returns the sweeps of a campaign for a kernel whose calls cost little: together they have some thousand small sizes, each once. The last
 * size of each is that of its case.
 * @param takes true if the kernel accepts a shape.
 * @param made makes the case of a shape.
 */
export function drawSweeps(
  { seed, sweeps }: Pick<DrawParameters, 'seed' | 'sweeps'>,
  takes: (shape: Shape) => boolean,
  made: (shape: Shape, seed: number) => PlannedCase | undefined,
): PlannedCase[] {
  const first = SWEEPS * createRandom(seed, STREAM).int(1, MOST_SEED);
  return Array.from({ length: sweeps }, (_, at) => first + at).flatMap((own) => {
    let [taken, tried] = [0, 0];
    let end: Shape | undefined;
    for (const shape of sweptShapes(own)) {
      if (takes(shape)) [end, taken] = [shape, taken + 1];
      if (taken > PRODUCTS || ++tried === SHAPES) break;
    }
    const last = end && made(end, own);
    if (last === undefined || taken <= FEWEST) return [];
    return [{ ...last, ...changeCase(last, { sweep: taken - 1 }), drawn: true }];
  });
}

/** True if a kernel takes many small products in one message, and whole numbers tell whether each is right. */
export function isSwept(spec: UserKernel, { name, coded }: Precision): boolean {
  if (isComplex(name) || coded !== undefined || spec.claims?.activations !== undefined) return false;
  return 'program' in spec ? spec.program.mode === 'worker' : 'multiply' in spec && spec.usesAdapter !== true;
}
