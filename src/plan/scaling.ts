import { badArgument, badNumber } from '../base/messages.ts';
import type { Scaling } from '../matrix/scaling.ts';
import { f32 } from '../precision/format.ts';
import { type Style, styles } from './plan.ts';

/**
 * Checks alpha and beta of C = alpha·A·B + beta·C: binary32 numbers, none subnormal, and only where C is not also scratch.
 * @param outer levels that follow a schedule, whose temporaries lie in C.
 * @throws ParanoiaError `bad-number`, `bad-argument`
 */
export function requireScaling(scaling: Scaling, style: Style, outer: number): void {
  for (const what of ['alpha', 'beta'] as const) {
    const given = scaling?.[what];
    const size = Math.abs(given);
    const fits = size <= f32.maxFinite && f32.round(given) === given;
    if (fits && (size === 0 || size >= f32.minNormal)) continue;
    throw badNumber({ what, given, need: 'a finite number of binary32, and not subnormal' });
  }
  if (scaling.alpha === 1 && scaling.beta === 0) return;
  if (styles[style].levels > 0 && outer === 0) return;
  throw badArgument({
    what: 'alpha and beta only where all levels are fused',
    need: 'the style fused or atomic with up to two levels, or hybrid with up to one',
  });
}
