import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { algorithmRegistry, isOfComplex } from '../../algorithms/algorithms.ts';
import { addCollectionTables } from '../../collection/node/read-tables.ts';
import type { Claims } from '../../kernels/claims.ts';
import { type JudgingTerms, judgingTermsOf } from '../../kernels/self-description.ts';
import { readChoice, readNumber } from '../../options/node/read.ts';
import { isComplex } from '../../precision/precisions.ts';
import { ranges } from '../../problem/ranges.ts';
import { budgetOf, JUDGED_AT_MOST } from '../../run/budget.ts';
import { openSandbox } from '../../sandbox/node/open-sandbox.ts';
import type { Sandbox } from '../../sandbox/node/sandbox.ts';
import type { RunRequest } from '../command-options.ts';
import { fileWays } from './file-kernels.ts';

export interface UntrustedJudge {
  readonly confinement: Sandbox;
  readonly terms: JudgingTerms;
  /** Files and folders that kernels may read in addition to their own. */
  readonly reads: readonly string[];
  /** The secret seed from which all seeds of the run are derived. */
  readonly secret: number;
}

/**
 * Sets up the referee of untrusted kernels that a request describes.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `no-sandbox`
 */
export async function openUntrustedJudge(request: RunRequest): Promise<UntrustedJudge> {
  const { precision = 'f32' } = fileWays(request);
  const { sandbox = 'auto', seed, reads = [] } = request;
  const claims = claimsIn(request, precision);
  return {
    reads: reads.map((path) => resolve(path)),
    confinement: await openSandbox(sandbox),
    terms: judgingTermsOf(precision, claims, secondsIn(request)),
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
  const { items: all } = addCollectionTables(algorithmRegistry, [name]);
  const items = all.filter((item) => isComplex(precision) || !isOfComplex(item));
  const known = items.map((item) => item.name);
  return {
    algorithm: readChoice('--algorithm', name, known),
    ...(levels === undefined ? {} : { levels: readNumber('--algorithm', levels, ranges.levels) }),
  };
}
