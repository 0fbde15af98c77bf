import { isOfComplex } from '../algorithms/algorithms.ts';
import { hintOf } from '../base/nearest.ts';
import { holdsAll } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import type { CaseItems } from './case-items.ts';
import { wrongSums } from './claimed-sums.ts';
import type { Claims } from './claims.ts';

/** Says why something cannot be claimed, as a clause; undefined where it can. */
type Rule = (claims: Claims, precision: Precision, algorithms: CaseItems['algorithms']) => string | undefined;

const keys: Readonly<Record<keyof Claims, true>> = {
  ...{ algorithm: true, levels: true, recursion: true, order: true, partition: true, parts: true, cut: true },
  ...{ alpha: true, beta: true, deterministic: true, batchInvariant: true, arithmetic: true },
};

const isOptional = (value: unknown, values: readonly unknown[]) =>
  value === undefined || values.includes(value);

const rules: readonly Rule[] = [
  (claims) => {
    const known = Object.keys(keys);
    const unknown = Object.keys(claims).find((key) => !known.includes(key));
    return unknown === undefined ? undefined : `its claims have no "${unknown}"${hintOf(unknown, known)}`;
  },
  ({ algorithm = 'classical' }, { complex, name }, algorithms) =>
    complex !== true && (algorithm === '4m' || isOfComplex(algorithms.get(algorithm) ?? {}))
      ? `it claims ${algorithm}, which multiplies complex matrices, and its precision is ${name}`
      : undefined,
  ({ recursion }, { complex }) =>
    complex === true && recursion !== undefined
      ? 'how a complex product recurses cannot be claimed: leave out the recursion of its claims'
      : undefined,
  ({ order = 'any', partition, parts, cut }, { complex }) =>
    complex === true && (order !== 'any' || [partition, parts, cut].some((one) => one !== undefined))
      ? 'the order of the sums of a complex product cannot be claimed: leave out order, partition, parts and cut'
      : undefined,
  ({ alpha, beta }) =>
    isOptional(alpha, ['first', 'operand', 'last', 'result']) && isOptional(beta, ['first', 'last', 'result'])
      ? undefined
      : 'what it claims of alpha and of beta must be "first" or "last", or "result", or of alpha "operand"',
  ({ alpha, algorithm = 'classical' }, { multiplied, accumulated, name }) =>
    alpha !== 'operand'
      ? undefined
      : holdsAll(multiplied, accumulated)
        ? `it claims that alpha is rounded with operands, and those of ${name} are as its sums`
        : algorithm === 'classical'
          ? undefined
          : 'it claims that alpha is rounded with operands, and a fast algorithm, which adds them first',
  ({ alpha, beta, arithmetic }, { d, accumulated, name }) =>
    alpha !== 'result' && beta !== 'result'
      ? undefined
      : holdsAll(d, accumulated)
        ? `it claims that alpha or beta come to rounded results, and those of ${name} are its sums`
        : arithmetic?.result?.overflow === 'saturate'
          ? 'it claims that alpha or beta come to rounded results, and that these saturate'
          : undefined,
  ({ deterministic, batchInvariant }) =>
    [deterministic, batchInvariant].every((one) => isOptional(one, [true, false]))
      ? undefined
      : 'what it claims of deterministic and of batchInvariant must be true or false',
  wrongSums,
];

/** The first thing that is wrong with claims in a precision: they contradict each other, or it, or say what cannot be said. */
export function wrongClaims(
  claims: unknown,
  precision: Precision,
  algorithms: CaseItems['algorithms'],
): string | undefined {
  if (claims === undefined) return undefined;
  if (typeof claims !== 'object' || claims === null) return 'its claims must be an object';
  return rules.reduce<string | undefined>(
    (found, rule) => found ?? rule(claims, precision, algorithms),
    undefined,
  );
}
