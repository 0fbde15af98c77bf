import type { Case } from '../problem/case.ts';
import { ranges } from '../problem/ranges.ts';
import type { Job } from './evidence.ts';

/**
 * A kernel that is not trusted may be right for its first thousands of products. It is asked for very many small ones, of which nothing
 * but their exactness is compared: the whole numbers of a case with rows, columns, k and signs in other orders, whose
 * product is the case's own in other orders.
 */

/** How long a life is. */
export interface LifeSpan {
  /** Seconds after which no block of products is begun. @defaultValue none */
  readonly seconds?: number | undefined;
  /** The most products. @defaultValue any number */
  readonly count?: number | undefined;
}

/** Whether between the times of a case small products are asked for instead of itself: it is asked for as often as can be. */
export const isLongLife = ({ problem }: Case): boolean => problem.repeats === ranges.repeats.most;

/** Whether a job can be one: of whole numbers whose sums stay exact, by a process that is asked for many at a time. */
export const canLiveLong = ({ case: value, kernel, operands, gemm }: Job): boolean =>
  value !== undefined &&
  isLongLife(value) &&
  kernel.session.asksApart === true &&
  operands.family?.exactness === 'integers' &&
  operands.staysExact !== false &&
  operands.coded === undefined &&
  gemm?.complex === undefined;
