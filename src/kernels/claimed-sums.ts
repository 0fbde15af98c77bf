import type { Accumulator } from '../precision/arithmetic.ts';
import { entering } from '../precision/entering.ts';
import { holdsAll, isWhole } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { dependsOnData } from '../precision/sums.ts';
import type { CaseItems } from './case-items.ts';
import type { Claims } from './claims.ts';

/** A rule on claims: it returns their contradiction to each other or to a precision, as a clause; undefined where there is none. */
export type Rule = (
  claims: Claims,
  precision: Precision,
  algorithms: CaseItems['algorithms'],
) => string | undefined;

const accumulatorOf = ({ arithmetic }: Claims): Accumulator => arithmetic?.accumulator ?? {};

/** Rules on claims about sums and arithmetic. */
export const sumRules: readonly Rule[] = [
  ({ cut, parts }) =>
    cut !== undefined && parts === undefined
      ? 'it claims how k is cut into parts, and not into how many'
      : undefined,
  ({ order, partition, parts }) =>
    partition !== undefined && parts !== undefined
      ? 'it claims a partition and parts, of which either says the other'
      : partition !== undefined && !['blocked', 'pairwise', 'split-k'].includes(order ?? 'any')
        ? `it claims a partition, which sums of the order ${order ?? 'any'} do not have`
        : parts !== undefined && order !== 'split-k'
          ? `it claims parts, which sums of the order ${order ?? 'any'} do not have`
          : undefined,
  (claims, precision) => {
    const { bits } = accumulatorOf(claims);
    const multiplied = entering(precision);
    const least = Math.min(multiplied.precision, precision.accumulated.precision);
    return bits === undefined || bits >= least
      ? undefined
      : `its claims.arithmetic.accumulator.bits must be a whole number from ${least}, those of ${multiplied.name}, to 128, but is ${bits}`;
  },
  (claims) => {
    const { bits, terms = 1, promoted } = accumulatorOf(claims);
    if (terms > 1 && bits === undefined)
      return `it claims to add ${terms} terms at once, and must say within how many bits`;
    return promoted !== undefined && promoted % terms !== 0
      ? `it claims to add ${terms} terms at once and to promote sums after ${promoted}, which is no multiple of it`
      : undefined;
  },
  (claims) => {
    const { terms, promoted, compensated } = accumulatorOf(claims);
    if (compensated === undefined) return undefined;
    const rounding = claims.arithmetic?.rounding ?? 'nearest';
    if (terms !== undefined)
      return 'it claims compensated sums of one term at a time, and to add several at once';
    if (promoted !== undefined) return 'it claims compensated sums, and to promote them';
    const { order = 'any', partition, parts } = claims;
    if (dependsOnData(order)) return `it claims compensated sums, and the order ${order}`;
    if (order !== 'any' && order !== 'sequential' && (partition ?? parts) === undefined)
      return `it claims compensated sums of the order ${order}, and must say by partition or parts how large they are or how many`;
    return rounding === 'nearest'
      ? undefined
      : `it claims compensated sums, and rounding ${rounding}, of which errors are no numbers`;
  },
  (claims) => {
    const { terms } = accumulatorOf(claims);
    const rounding = claims.arithmetic?.rounding;
    return terms !== undefined && rounding === 'stochastic'
      ? 'it claims to add several terms at once, cut off, and to round at random'
      : undefined;
  },
  (claims) => {
    const { terms } = accumulatorOf(claims);
    return terms !== undefined &&
      claims.order === 'pairwise' &&
      claims.partition !== undefined &&
      claims.partition < terms
      ? `it claims to add ${terms} terms at once in halves of ${claims.partition}`
      : undefined;
  },
  ({ arithmetic }, { accumulated, name }) => {
    if (accumulated.unitRoundoff > 0) return undefined;
    const { rounding = 'nearest', accumulator } = arithmetic ?? {};
    if (rounding !== 'nearest') return `it claims rounding ${rounding}, and sums of ${name} are exact`;
    return accumulator?.compensated === undefined
      ? undefined
      : `it claims compensated sums, and those of ${name} are exact`;
  },
  ({ arithmetic }, { a, multiplied, name }) =>
    arithmetic?.operands !== undefined && multiplied === a
      ? `it claims how operands are rounded, which ${name} multiplies as they are`
      : undefined,
  ({ arithmetic }, { coded = {}, name }) =>
    arithmetic?.zeroPoints !== undefined && [coded.a, coded.b].every((coding) => coding?.zero === undefined)
      ? `it claims where zero points are subtracted, and ${name} has none`
      : undefined,
  ({ arithmetic: { result } = {} }, { accumulated, d, name }) => {
    if (result === undefined) return undefined;
    const areWhole = isWhole(accumulated);
    if (!areWhole && holdsAll(d, accumulated))
      return `it claims how results are rounded, which ${name} leaves as its sums are`;
    if (areWhole && (result.rounding !== undefined || result.overflow === 'special'))
      return `the sums of ${name} are whole numbers: of its results it may claim that they saturate or wrap`;
    if (d.roundingError !== undefined)
      return `it claims how results are rounded, and ${d.name} has one way: to nearest, to its largest number beyond it`;
    return !areWhole && result.overflow === 'wraps'
      ? `it claims that results wrap, as whole numbers do, and ${name} has none`
      : undefined;
  },
];
