import { isRecord } from '../base/guards.ts';
import { hintOf } from '../base/nearest.ts';
import {
  type Accumulator,
  type ArithmeticClaims,
  compensations,
  overflows,
  roundings,
  zeroPointPlaces,
} from '../precision/arithmetic.ts';
import { entering } from '../precision/entering.ts';
import { holdsAll, isWhole } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { cuts, dependsOnData, orders } from '../precision/sums.ts';
import type { Claims } from './claims.ts';

/** Says why claims of sums and arithmetic cannot be held, as a clause; undefined where they can. */
type Rule = (claims: Claims, precision: Precision) => string | undefined;

const isCount = (value: unknown, least: number, most = 2 ** 31): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const isCut = (value: unknown): boolean =>
  cuts.includes(value as never) ||
  (isRecord(value) && isCount(value.tile, 1) && Object.keys(value).length === 1);

/** What each claim of arithmetic must be. */
const fields: Readonly<Record<keyof ArithmeticClaims, readonly [(value: unknown) => boolean, string]>> = {
  rounding: [(value) => roundings.includes(value as never), `one of ${roundings.join(', ')}`],
  fma: [(value) => ['once', 'twice', 'either'].includes(value as never), 'once, twice or either'],
  subnormals: [
    (value) =>
      value === 'kept' ||
      value === 'either' ||
      (isRecord(value) &&
        typeof value.operands === 'boolean' &&
        typeof value.below === 'number' &&
        value.below >= 0 &&
        value.below < Number.POSITIVE_INFINITY),
    'kept, either, or { operands, below }',
  ],
  exceptions: [(value) => typeof value === 'boolean' || value === 'nan', 'true, false or nan'],
  modelled: [(value) => typeof value === 'boolean', 'true or false'],
  operands: [
    (value) =>
      isRecord(value) &&
      [undefined, 'nearest', 'toward-zero'].includes(value.rounding as never) &&
      [undefined, 'kept', 'flushed'].includes(value.subnormals as never),
    'of rounding nearest or toward-zero, and of subnormals kept or flushed',
  ],
  result: [
    (value) =>
      isRecord(value) &&
      [undefined, ...roundings].includes(value.rounding as never) &&
      [undefined, ...overflows].includes(value.overflow as never),
    `of rounding ${roundings.join(', ')} and of overflow ${overflows.join(', ')}`,
  ],
  zeroPoints: [(value) => zeroPointPlaces.includes(value as never), zeroPointPlaces.join(' or ')],
  accumulator: [isRecord, 'of bits, terms, promoted and compensated'],
};

/** What there is to say of those that are records. */
const parts: Readonly<Partial<Record<keyof ArithmeticClaims, readonly string[]>>> = {
  subnormals: ['operands', 'below'],
  operands: ['rounding', 'subnormals'],
  result: ['rounding', 'overflow'],
  accumulator: ['bits', 'terms', 'promoted', 'compensated'],
};

const accumulatorOf = ({ arithmetic }: Claims): Accumulator => arithmetic?.accumulator ?? {};

const rules: readonly Rule[] = [
  ({ order }) =>
    order === undefined || orders.includes(order)
      ? undefined
      : `its claimed order is unknown, "${order}"${hintOf(String(order), orders)}`,
  ({ arithmetic }) =>
    arithmetic === undefined || isRecord(arithmetic)
      ? undefined
      : 'the arithmetic that it claims must be an object',
  ({ arithmetic = {} }) => {
    const wrong = Object.keys(arithmetic).find((key) => !Object.hasOwn(fields, key));
    if (wrong === undefined) return undefined;
    return `the arithmetic that it claims has no "${wrong}"${hintOf(wrong, Object.keys(fields))}`;
  },
  ({ arithmetic = {} }) => {
    for (const [part, keys] of Object.entries(parts)) {
      const value = arithmetic[part as keyof ArithmeticClaims];
      const wrong = isRecord(value) ? Object.keys(value).find((key) => !keys.includes(key)) : undefined;
      if (wrong !== undefined)
        return `the ${part} of the arithmetic that it claims has no "${wrong}"${hintOf(wrong, keys)}`;
    }
    return undefined;
  },
  ({ arithmetic = {} }) => {
    const given = Object.entries(arithmetic).filter(([, value]) => value !== undefined);
    const wrong = given.find(([key, value]) => !fields[key as keyof ArithmeticClaims][0](value));
    if (wrong === undefined) return undefined;
    return `the ${wrong[0]} of the arithmetic that it claims must be ${fields[wrong[0] as keyof ArithmeticClaims][1]}`;
  },
  ({ partition }) =>
    partition === undefined || isCount(partition, 1)
      ? undefined
      : 'its claimed partition must be a whole number of terms, at least 1',
  ({ parts }) =>
    parts === undefined || isCount(parts, 1)
      ? undefined
      : 'its claimed parts must be a whole number, at least 1',
  ({ cut, parts }) =>
    cut === undefined
      ? undefined
      : !isCut(cut)
        ? `its claimed cut must be ${cuts.join(', ')} or { tile } of a whole number of terms, at least 1`
        : parts === undefined
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
    return bits === undefined || isCount(bits, least, 128)
      ? undefined
      : `the bits of the accumulator that it claims must be a whole number from ${least}, those of ${multiplied.name}, to 128`;
  },
  (claims) => {
    const { terms, promoted, compensated } = accumulatorOf(claims);
    if (terms !== undefined && !isCount(terms, 2, 4096))
      return 'the terms that its accumulator takes at once must be a whole number from 2 to 4096';
    if (promoted !== undefined && !isCount(promoted, 1))
      return 'its accumulator must be promoted after a whole number of terms, at least 1';
    return compensated === undefined || compensations.includes(compensated)
      ? undefined
      : `the compensation that it claims must be ${compensations.join(' or ')}`;
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

/** The first thing that is wrong with what is claimed of sums and arithmetic. */
export const wrongSums = (claims: Claims, precision: Precision): string | undefined =>
  rules.reduce<string | undefined>((found, rule) => found ?? rule(claims, precision), undefined);
