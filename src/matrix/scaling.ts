import { badNumber } from '../base/messages.ts';

/** The factors of a product: C = alpha·A·B + beta·C. With beta = 0, C is not read. */
export interface Scaling {
  readonly alpha: number;
  readonly beta: number;
}

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
