import { isOfComplex } from '../algorithms/algorithms.ts';
import { activationSchemes, quantizedSide } from '../precision/activations/schemes.ts';
import { bf16, f32, holdsAll, isWholeFormat } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import type { CaseItems } from './case-items.ts';
import { sayings, whyInvalidStatement } from './claim-records.ts';
import { type ClaimRule, sumRules } from './claimed-sums.ts';
import type { Claims } from './claims.ts';

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
