import type { Claims } from './claims.ts';
import { TIME_LIMIT } from './deadline.ts';
import type { FunctionKernel } from './user-kernel.ts';

/**
 * Terms on which an untrusted kernel is judged. The judge sets its precision, algorithm and time limit. It need not be deterministic:
 * every answer is held to its bound.
 */
export interface JudgingTerms {
  readonly precision: string;
  readonly claims: Claims;
  readonly timeLimit: number;
}

/** Limits, in seconds, of the time for one product of an untrusted kernel, and its part of the budget between them. */
const HELD = { least: 10, most: TIME_LIMIT, part: 1 / 2 };

/**
 * Returns the terms of a precision, for the claims that the judge allows.
 * @param seconds the budget; infinite where cases may take any time, and a slow product is no hang.
 */
export const judgingTermsOf = (
  precision: string,
  claims: Pick<Claims, 'algorithm' | 'levels'>,
  seconds = 0,
): JudgingTerms => ({
  ...{ precision, claims: { ...claims, deterministic: false } },
  timeLimit: Math.min(HELD.most, Math.max(HELD.least, HELD.part * seconds)),
});

/** The self-description of an untrusted kernel, as data. Nothing else is believed of its process. */
export type SelfDescription = Readonly<Record<string, unknown>>;

/** Describes, in the process of a kernel, what it accepts; a function is replaced by a marker. */
export function aboutOf({ accepts, multiplyGroup, precision, claims }: FunctionKernel): SelfDescription {
  const told = (value: unknown) => (typeof value === 'function' ? FUNCTION : value);
  const said =
    typeof accepts === 'object' && accepts !== null
      ? { ...accepts, sizes: told(accepts.sizes) }
      : told(accepts);
  return { accepts: said, grouped: multiplyGroup !== undefined, precision, claims: claims !== undefined };
}

/** Marker for a function, which cannot be sent. */
const FUNCTION = { isFunction: true };
