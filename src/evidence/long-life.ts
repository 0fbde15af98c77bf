import type { Case } from '../problem/case.ts';
import { ranges } from '../problem/ranges.ts';
import type { ProductJob } from './evidence.ts';

/**
 * Long lives: an untrusted kernel may be right for its first thousands of products only. It computes very many small ones, which are
 * compared for exactness alone. They are the whole numbers of a case, with rows, columns, k and signs permuted. Their product is the
 * case's own, permuted.
 */

/** The length of a long life. */
export interface LifeSpan {
  /** Seconds after which no block of products is begun. @defaultValue none */
  readonly seconds?: number | undefined;
  /** The most products. @defaultValue any number */
  readonly count?: number | undefined;
}

/** True if small products replace the repetitions of a case, since it requests as many as possible. */
export const isLongLife = ({ problem }: Case): boolean => problem.repeats === ranges.repeats.most;

/** True if a job can be a long life: whole numbers whose sums stay exact, in a process that takes many products in one message. */
export const canLiveLong = ({ case: value, kernel, operands, gemm }: ProductJob): boolean =>
  value !== undefined &&
  isLongLife(value) &&
  kernel.session.asksApart === true &&
  operands.family?.exactness === 'integers' &&
  operands.staysExact !== false &&
  operands.coded === undefined &&
  gemm?.complex === undefined;
