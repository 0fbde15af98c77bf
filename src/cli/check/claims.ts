import type { Claims } from '../../kernels/claims.ts';
import { readNumber } from '../../options/node/read.ts';
import { ranges } from '../../problem/ranges.ts';
import { claimsUnreadable } from '../messages.ts';
import type { CheckRequest } from './options.ts';

/** Reads the claims that options describe. @throws ParanoiaError `claims-unreadable`, `bad-number` */
export function claimsOf({ claims, algorithm }: Pick<CheckRequest, 'claims' | 'algorithm'>): Claims {
  if (algorithm !== undefined) {
    const [name, levels] = algorithm.split(':');
    return {
      algorithm: name,
      ...(levels === undefined ? {} : { levels: readNumber('--algorithm', levels, ranges.levels) }),
    };
  }
  if (claims === undefined) return {};
  try {
    const value: unknown = JSON.parse(claims);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    throw claimsUnreadable({ given: claims });
  }
  throw claimsUnreadable({ given: claims });
}
