import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { algorithmRegistry, isOfComplex } from '../../algorithms/algorithms.ts';
import { withCollected } from '../../collection/node/collected-algorithms.ts';
import type { Confinement } from '../../confine/node/confinement.ts';
import { openConfinement } from '../../confine/node/open-confinement.ts';
import { type Terms, termsOf } from '../../kernels/about.ts';
import type { Claims } from '../../kernels/claims.ts';
import { isComplex } from '../../precision/precisions.ts';
import { ranges } from '../../problem/ranges.ts';
import { budgetOf, JUDGED_AT_MOST } from '../../run/budget.ts';
import { type Flags, parseChoice, parseList, parseNumber, parseText } from '../flags.ts';
import { fileWays } from './file-kernels.ts';

/** How kernels that are not trusted are judged. */
export interface Referee {
  readonly confinement: Confinement;
  readonly terms: Terms;
  /** Files and folders that kernels may read beside their own. */
  readonly reads: readonly string[];
  /** What all seeds of the run follow from. */
  readonly secret: number;
}

export const sandboxes = ['required', 'auto', 'off'] as const;

/**
 * The judge of kernels that nobody trusts, as flags say.
 * @throws ParanoiaError `missing-option`, `unknown-name`, `bad-number`, `no-sandbox`
 */
export async function refereeOf(flags: Flags): Promise<Referee> {
  const { precision = 'f32' } = fileWays(flags);
  const given = flags.sandbox;
  const wanted = given === undefined ? 'auto' : parseChoice('--sandbox', given, sandboxes);
  const seed = flags.seed === undefined ? undefined : parseNumber('--seed', flags.seed, ranges.seed);
  const claims = claimsIn(flags, precision);
  const reads =
    flags.reads === undefined ? [] : parseList('--reads', flags.reads).map((path) => resolve(path));
  return {
    reads,
    confinement: await openConfinement(wanted),
    terms: termsOf(precision, claims, secondsIn(flags)),
    secret: seed ?? randomInt(1, ranges.seed.most),
  };
}

/** The seconds that a judge may take: without end where cases are counted. A text that is no budget is refused with the other options. */
function secondsIn({ cases, budget }: Flags): number | undefined {
  if (cases !== undefined) return Number.POSITIVE_INFINITY;
  if (budget === undefined) return JUDGED_AT_MOST;
  return typeof budget === 'string' ? budgetOf(budget)?.seconds : undefined;
}

/** What the judge lets a kernel be: `strassen`, or `strassen:2` where it recurses two levels. */
function claimsIn({ algorithm }: Flags, precision: string): Pick<Claims, 'algorithm' | 'levels'> {
  if (algorithm === undefined) return {};
  const [name, levels] = parseText('--algorithm', algorithm).split(':');
  const { items: all } = withCollected(algorithmRegistry, [name]);
  const items = all.filter((item) => isComplex(precision) || !isOfComplex(item));
  const known = items.map((item) => item.name);
  return {
    algorithm: parseChoice('--algorithm', name, known),
    ...(levels === undefined ? {} : { levels: parseNumber('--algorithm', levels, ranges.levels) }),
  };
}
