import { isOfComplex } from '../algorithms/algorithms.ts';
import { activationSchemes, quantizedSide } from '../precision/activations/schemes.ts';
import type { Accumulator } from '../precision/arithmetic.ts';
import { formatsOfParts, partialRoundingOf } from '../precision/claimed-rounding.ts';
import { hasOffsets } from '../precision/coding/coding.ts';
import { bf16, f32, holdsAll, isWholeFormat } from '../precision/format.ts';
import { multipliedFormatOf } from '../precision/operand-encoding.ts';
import type { Precision } from '../precision/precision.ts';
import { dependsOnData } from '../precision/sums.ts';
import type { CaseItems } from './case-items.ts';
import { sayings, whyInvalidStatement } from './claim-records.ts';
import type { Claims } from './claims.ts';

/** A rule on claims: it returns their contradiction to each other or to a precision, as a clause; undefined where there is none. */
type ClaimRule = (
  claims: Claims,
  precision: Precision,
  algorithms: CaseItems['algorithms'],
) => string | undefined;

const accumulatorOf = ({ arithmetic }: Claims): Accumulator => arithmetic?.accumulator ?? {};

const sumRules: readonly ClaimRule[] = [
  ({ cut, parts }) =>
    cut !== undefined && parts === undefined
      ? 'it claims a cut of k, but not the number of parts. Claim parts, too'
      : undefined,
  ({ order, partition, parts }) =>
    partition !== undefined && parts !== undefined
      ? 'it claims both partition and parts. Claim one of them'
      : partition !== undefined && !['blocked', 'pairwise', 'split-k'].includes(order ?? 'any')
        ? `it claims a partition, but the order ${order ?? 'any'} has none. Remove partition, or claim order: 'blocked'`
        : parts !== undefined && order !== 'split-k'
          ? `it claims parts, but the order ${order ?? 'any'} has none. Remove parts, or claim order: 'split-k'`
          : undefined,
  ({ order, partition, parts, partialSums }) =>
    partialSums === undefined
      ? undefined
      : (partition ?? parts) === undefined
        ? 'it claims partial sums, but neither parts nor partition. Claim one of them'
        : order === 'pairwise'
          ? "it claims partial sums, but the order pairwise has none. Claim order: 'blocked' or 'split-k'"
          : undefined,
  ({ partialSums, algorithm = 'classical' }, { accumulated, name }) => {
    const wider = formatsOfParts(partialRoundingOf(partialSums)).find(
      (format) => !holdsAll(accumulated, format),
    );
    if (partialSums === undefined) return undefined;
    if (accumulated.unitRoundoff === 0) return `it claims partial sums, but sums of ${name} are exact`;
    if (algorithm !== 'classical')
      return `it claims partial sums, which ${algorithm} cannot claim. Leave them out`;
    return (
      wider &&
      `it claims partial sums in ${wider.name}, but sums of ${name} are no wider than ${accumulated.name}`
    );
  },
  (claims, precision) => {
    const { bits } = accumulatorOf(claims);
    const multiplied = multipliedFormatOf(precision);
    const least = Math.min(multiplied.precision, precision.accumulated.precision);
    return bits === undefined || bits >= least
      ? undefined
      : `its claims.arithmetic.accumulator.bits must be a whole number from ${least} (the bits of ${multiplied.name}) to 128, but is ${bits}`;
  },
  (claims) => {
    const { bits, terms = 1, promoted } = accumulatorOf(claims);
    if (terms > 1 && bits === undefined)
      return `it claims to add ${terms} terms at once, but not within how many bits. Claim accumulator.bits, too`;
    return promoted !== undefined && promoted % terms !== 0
      ? `it claims to add ${terms} terms at once, but to promote sums after ${promoted}, which is not a multiple of ${terms}`
      : undefined;
  },
  (claims) => {
    const { terms, promoted, compensated } = accumulatorOf(claims);
    if (compensated === undefined) return undefined;
    const rounding = claims.arithmetic?.rounding ?? 'nearest';
    if (terms !== undefined)
      return 'it claims compensated sums, which add one term at a time, but also to add several at once';
    if (promoted !== undefined)
      return 'it claims compensated sums, but also to promote them. Claim one of the two';
    const { order = 'any', partition, parts } = claims;
    if (dependsOnData(order))
      return `it claims compensated sums, but also the order ${order}, which excludes them`;
    if (order !== 'any' && order !== 'sequential' && (partition ?? parts) === undefined)
      return `it claims compensated sums of the order ${order}, but neither partition nor parts. Claim one of them`;
    return rounding === 'nearest'
      ? undefined
      : `it claims compensated sums, but also rounding ${rounding}. Compensation needs rounding to nearest`;
  },
  (claims) => {
    const { terms } = accumulatorOf(claims);
    const rounding = claims.arithmetic?.rounding;
    return terms !== undefined && rounding === 'stochastic'
      ? 'it claims to add several terms at once, which truncates, but also stochastic rounding'
      : undefined;
  },
  (claims) => {
    const { terms } = accumulatorOf(claims);
    return terms !== undefined &&
      claims.order === 'pairwise' &&
      claims.partition !== undefined &&
      claims.partition < terms
      ? `it claims to add ${terms} terms at once, but a partition of only ${claims.partition}`
      : undefined;
  },
  ({ arithmetic }, { accumulated, name }) => {
    if (accumulated.unitRoundoff > 0) return undefined;
    const { rounding = 'nearest', accumulator } = arithmetic ?? {};
    if (rounding !== 'nearest') return `it claims rounding ${rounding}, but sums of ${name} are exact`;
    return accumulator?.compensated === undefined
      ? undefined
      : `it claims compensated sums, but sums of ${name} are exact`;
  },
  ({ arithmetic }, { a, multiplied, name }) =>
    arithmetic?.operands !== undefined && multiplied === a
      ? `it claims a rounding of operands, but ${name} multiplies them unrounded`
      : undefined,
  ({ arithmetic, activations }, { coded = {}, name }) =>
    arithmetic?.zeroPoints !== undefined &&
    activations === undefined &&
    [coded.a, coded.b].every((coding) => coding === undefined || !hasOffsets(coding))
      ? `it claims zeroPoints, but ${name} has no zero points`
      : undefined,
  ({ arithmetic: { result } = {} }, { accumulated, d, name }) => {
    if (result === undefined) return undefined;
    const areWhole = isWholeFormat(accumulated);
    if (!areWhole && holdsAll(d, accumulated))
      return `it claims a rounding of results, but ${name} leaves its sums unrounded`;
    if (areWhole && (result.rounding !== undefined || result.overflow === 'special'))
      return `the sums of ${name} are whole numbers, so its results can only saturate or wrap`;
    if (d.roundingError !== undefined)
      return `it claims a rounding of results, but ${d.name} always rounds to nearest and saturates`;
    return !areWhole && result.overflow === 'wraps'
      ? `it claims that results wrap, but results of ${name} are not whole numbers`
      : undefined;
  },
];

/** Rules on claims about operands that are quantized while they are read. */
const activationRules: readonly ClaimRule[] = [
  ({ activations, algorithm = 'classical' }, { complex, name }) =>
    activations === undefined
      ? undefined
      : complex === true
        ? `it claims activations, but entries of ${name} are complex`
        : algorithm !== 'classical'
          ? `it claims activations, which ${algorithm} cannot claim. Leave them out`
          : undefined,
  ({ activations }, precision) => {
    if (activations === undefined) return undefined;
    const { coded = {}, multiplied, name } = precision;
    const own = precision[quantizedSide(precision)];
    if (coded.a !== undefined && coded.b !== undefined)
      return `it claims activations, but ${name} has codes of both operands already`;
    if (own.precision < bf16.precision || precision.accumulated.unitRoundoff === 0)
      return `it claims activations, but entries of ${name} are ${own.name} already`;
    if (!holdsAll(f32, own)) return `it claims activations, but entries of ${name} are wider than binary32`;
    return holdsAll(multiplied, own)
      ? undefined
      : `it claims activations, but ${name} rounds operands to ${multiplied.name} first`;
  },
  ({ activations: { scheme, block } = {} }) =>
    scheme === undefined || block === undefined || activationSchemes.find(scheme).sized === true
      ? undefined
      : `it claims a block of ${block}, but the blocks of ${scheme} are fixed. Leave it out, or claim int8-block`,
  ({ activations: { scheme, rounding, division } = {} }) => {
    if (scheme === undefined) return undefined;
    const { roundings, divisions } = activationSchemes.find(scheme);
    if (rounding !== undefined && !roundings.includes(rounding))
      return `it claims the rounding ${rounding}, but ${scheme} rounds by ${roundings.join(' or ')}`;
    return division === undefined || divisions.includes(division)
      ? undefined
      : `it claims the division ${division}, but ${scheme} divides by ${divisions.join(' or ')}`;
  },
];

const rules: readonly ClaimRule[] = [
  ({ algorithm = 'classical' }, { complex, name }, algorithms) =>
    complex !== true && (algorithm === '4m' || isOfComplex(algorithms.get(algorithm) ?? {}))
      ? `it claims ${algorithm}, which multiplies complex matrices, but its precision is ${name}`
      : undefined,
  ({ algorithm = 'classical' }, { accumulated, name }) =>
    algorithm === 'classical' || accumulated.unitRoundoff > 0 || isWholeFormat(accumulated)
      ? undefined
      : `it claims ${algorithm}, which multiplies sums of blocks, but ${name} multiplies only entries`,
  ({ recursion }, { complex }) =>
    complex === true && recursion !== undefined
      ? 'it claims a recursion, which a complex product cannot claim. Leave it out'
      : undefined,
  ({ order = 'any', partition, parts, cut }, { complex }) =>
    complex === true && (order !== 'any' || [partition, parts, cut].some((one) => one !== undefined))
      ? 'it claims an order of sums, which a complex product cannot claim. Leave out order, partition, parts and cut'
      : undefined,
  ({ algorithm = 'classical', recursion }) =>
    recursion !== undefined && ['classical', '4m'].includes(algorithm)
      ? 'it claims a recursion, but a classical product does not recurse. Leave it out, or name the algorithm'
      : undefined,
  ({ alpha, algorithm = 'classical' }, { multiplied, accumulated, name }) =>
    alpha !== 'operand'
      ? undefined
      : holdsAll(multiplied, accumulated)
        ? `it claims that alpha is rounded with operands, but operands of ${name} have the format of its sums`
        : algorithm === 'classical'
          ? undefined
          : 'it claims that alpha is rounded with operands, but a fast algorithm adds operands first',
  ({ alpha, beta, arithmetic }, { d, accumulated, name }) =>
    alpha !== 'result' && beta !== 'result'
      ? undefined
      : holdsAll(d, accumulated)
        ? `it claims that alpha or beta applies to rounded results, but ${name} does not round its sums`
        : d.roundingError !== undefined
          ? `it claims that alpha or beta applies to rounded results, but the relative error of ${d.name} is not constant`
          : arithmetic?.result?.overflow === 'saturate'
            ? 'it claims that alpha or beta applies to rounded results, but also that these saturate'
            : undefined,
  ...sumRules,
  ...activationRules,
];

/** Returns the first fault of claims in a precision: a contradiction to each other or to it, or an invalid value. */
export function findWrongClaims(
  claims: unknown,
  precision: Precision,
  algorithms: CaseItems['algorithms'],
): string | undefined {
  const said = (claims ?? {}) as Claims;
  return rules.reduce<string | undefined>(
    (found, rule) => found ?? rule(said, precision, algorithms),
    whyInvalidStatement('claims', claims, sayings.claims),
  );
}
