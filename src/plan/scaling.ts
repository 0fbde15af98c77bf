import { badNumber } from '../base/messages.ts';
import type { Scaling } from '../matrix/scaling.ts';

/**
 * Checks alpha and beta of C = alpha·A·B + beta·C: finite numbers.
 * @throws ParanoiaError `bad-number`
 */
export function requireScaling(scaling: Scaling): void {
  for (const what of ['alpha', 'beta'] as const) {
    const given = scaling?.[what];
    if (Number.isFinite(given)) continue;
    throw badNumber({ what, given, need: 'a finite number' });
  }
}
