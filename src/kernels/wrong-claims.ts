import { isOfComplex } from '../algorithms/algorithms.ts';
import { holdsAll, isWholeFormat } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import type { CaseItems } from './case-items.ts';
import { sayings, whyInvalidStatement } from './claim-records.ts';
import { activationRules } from './claimed-activations.ts';
import { type ClaimRule, sumRules } from './claimed-sums.ts';
import type { Claims } from './claims.ts';

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
