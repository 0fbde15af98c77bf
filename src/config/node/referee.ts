import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { algorithmRegistry, isOfComplex } from '../../algorithms/algorithms.ts';
import { withCollected } from '../../collection/node/collected-algorithms.ts';
import type { Confinement } from '../../confine/node/confinement.ts';
import { openConfinement } from '../../confine/node/open-confinement.ts';
import { type Terms, termsOf } from '../../kernels/about.ts';
import type { Claims } from '../../kernels/claims.ts';
import { readChoice, readNumber } from '../../options/node/read.ts';
import { isComplex } from '../../precision/precisions.ts';
import { ranges } from '../../problem/ranges.ts';
import { budgetOf, JUDGED_AT_MOST } from '../../run/budget.ts';
import type { RunRequest } from '../command-options.ts';
import { fileWays } from './file-kernels.ts';

/** The judging of untrusted kernels. */
export interface Referee {
  readonly confinement: Confinement;
  readonly terms: Terms;
  /** Files and folders that kernels may read in addition to their own. */
  readonly reads: readonly string[];
  /** The secret seed from which all seeds of the run are derived. */
  readonly secret: number;
}

/**
 * Sets up the referee of untrusted kernels that a request describes.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `no-sandbox`
 */
export async function refereeOf(request: RunRequest): Promise<Referee> {
  const { precision = 'f32' } = fileWays(request);
  const { sandbox = 'auto', seed, reads = [] } = request;
  const claims = claimsIn(request, precision);
  return {
    reads: reads.map((path) => resolve(path)),
    confinement: await openConfinement(sandbox),
    terms: termsOf(precision, claims, secondsIn(request)),
    secret: seed ?? randomInt(1, ranges.seed.most),
  };
}

/** The referee's time limit in seconds; infinite where cases are counted. */
function secondsIn({ cases, budget }: RunRequest): number | undefined {
  if (cases !== undefined) return Number.POSITIVE_INFINITY;
  return budget === undefined ? JUDGED_AT_MOST : budgetOf(budget)?.seconds;
}

/** The algorithm that a kernel may use: `strassen`, or `strassen:2` for two levels of recursion. */
function claimsIn({ algorithm }: RunRequest, precision: string): Pick<Claims, 'algorithm' | 'levels'> {
  if (algorithm === undefined) return {};
  const [name, levels] = algorithm.split(':');
  const { items: all } = withCollected(algorithmRegistry, [name]);
  const items = all.filter((item) => isComplex(precision) || !isOfComplex(item));
  const known = items.map((item) => item.name);
  return {
    algorithm: readChoice('--algorithm', name, known),
    ...(levels === undefined ? {} : { levels: readNumber('--algorithm', levels, ranges.levels) }),
  };
}
