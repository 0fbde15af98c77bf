import type { Case } from '../../problem/case.ts';
import type { MeasuredSpeed } from '../spending.ts';
import type { LearnedOrder } from './case-facets.ts';
import { type KernelSpeed, rankByKills, usualSpeed } from './case-order.ts';
import { learnedOrder } from './learned-order.ts';

/** Factor by which calls must be slower or faster beside multiplications than usual, so that another order is worth its time. */
const FAR = 3;

/**
 * Orders cases for the measured speed of a kernel.
 * @param before cases that have run.
 * @returns the places of the cases in their order; undefined if calls and multiplications are about as slow, one beside the other, as usual
 */
export function orderBySpeed(
  cases: readonly Case[],
  measured: MeasuredSpeed,
  before: readonly Case[],
  learned: LearnedOrder = learnedOrder,
): number[] | undefined {
  if (measured.call === 0 || measured.work === 0) return undefined;
  const { judge } = learned;
  const ofCall = judge.case + judge.call;
  const usual = (ofCall + usualSpeed.call) / (judge.work + usualSpeed.product);
  if (Math.abs(Math.log(measured.call / measured.work / usual)) < Math.log(FAR)) return undefined;
  const speed: KernelSpeed = {
    call: Math.max(0, measured.call - ofCall),
    product: Math.max(0, measured.work - judge.work),
    swept: measured.product,
  };
  return rankByKills(cases, speed, learned, before).map(({ at }) => at);
}
