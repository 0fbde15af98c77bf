import type { Claims } from './claims.ts';
import { TIME_LIMIT } from './deadline.ts';
import type { FunctionKernel } from './user-kernel.ts';

/**
 * What a judge says of a kernel that is not trusted. What it is judged by is the judge's to say: its precision, its algorithm, its
 * time. That it may answer with other bits each time costs it nothing: every answer of it is held to its bound.
 */
export interface Terms {
  readonly precision: string;
  readonly claims: Claims;
  readonly timeLimit: number;
}

/** Seconds that one product of a kernel may take that is not trusted, at least and at most, and the part of its budget between them. */
const HELD = { least: 10, most: TIME_LIMIT, part: 1 / 2 };

/**
 * The terms of a precision, and of what the judge lets the kernel be.
 * @param seconds the budget; infinite where cases are asked whatever time they take, and a slow product is no hang.
 */
export const termsOf = (
  precision: string,
  claims: Pick<Claims, 'algorithm' | 'levels'>,
  seconds = 0,
): Terms => ({
  ...{ precision, claims: { ...claims, deterministic: false } },
  timeLimit: Math.min(HELD.most, Math.max(HELD.least, HELD.part * seconds)),
});

/** What a kernel that is not trusted says of itself, as data: its process is believed in nothing else. */
export type About = Readonly<Record<string, unknown>>;

/** Says in the process of a kernel what it accepts; of a function, that it is one. */
export function aboutOf({ accepts, multiplyGroup, precision, claims }: FunctionKernel): About {
  const told = (value: unknown) => (typeof value === 'function' ? FUNCTION : value);
  const said =
    typeof accepts === 'object' && accepts !== null
      ? { ...accepts, sizes: told(accepts.sizes) }
      : told(accepts);
  return { accepts: said, grouped: multiplyGroup !== undefined, precision, claims: claims !== undefined };
}

/** Stands for a function, which is not sent. */
const FUNCTION = { isFunction: true };
