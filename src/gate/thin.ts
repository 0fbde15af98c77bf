import { createRandom } from '../base/random.ts';
import { acceptsOf, whyNotComputed } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { drawSize, sizeClasses } from '../problem/size-classes.ts';
import { asGeneral } from './structured-cases.ts';

/** Sizes of the other dimensions, besides the same size and a drawn one. */
const OTHERS = [1, 16, 64, 256];
/** Number of tried sizes of a class. */
const TRIES = 12;
const STREAM = 3999;

/**
 * Returns a sentence on a kernel that accepts sizes of fewer than half of all classes, over all dimensions, and does not declare this. A
 * pass would say little about it.
 * @param isTrusted true if the kernel may declare it.
 */
export function describeThin(given: UserKernel, isTrusted = true): string | undefined {
  const spec = asGeneral(given);
  if (acceptsOf(spec).narrow === true) return undefined;
  const random = createRandom(1, STREAM);
  const classes = sizeClasses.filter(({ most }) => most > 0);
  const isTaken = (key: 'm' | 'k' | 'n', at: number) => {
    for (let tries = 0; tries < TRIES; tries++) {
      // Every other size is a multiple of 16: kernels without edges accept only those.
      const size = drawSize(classes[at], random, tries % 2 === 0 ? {} : { is: 0, modulus: 16 });
      for (const other of [size, ...OTHERS, drawSize(classes[at], random)])
        if (whyNotComputed(spec, { m: other, k: other, n: other, [key]: size }) === undefined) return true;
    }
    return false;
  };
  const taken = (['m', 'k', 'n'] as const).flatMap((key) => classes.filter((_, at) => isTaken(key, at)));
  const all = 3 * classes.length;
  if (2 * taken.length >= all) return undefined;
  return `${spec.name} accepts only ${taken.length} of the ${all} classes of sizes above 0: ${classes.length} of m, ${classes.length} of k, ${classes.length} of n. So a pass proves little.${isTrusted ? ' If the kernel is meant for these sizes alone, set accepts: { narrow: true }.' : ''}`;
}
