import { type RoundFindings, type RoundsPlan, roundsOf } from '../run/fuzz-round.ts';
import { joinCoverage } from '../run/merge-fuzz.ts';
import { TURN, verdictOf } from './campaign.ts';
import { WorstResults } from './campaign-tally.ts';
import { type FuzzOutcome, toFuzzOutcome } from './run-fuzz.ts';
import { SimilarCases } from './similar-cases.ts';

/** A round with its position. */
interface Known {
  readonly target: number;
  readonly round: number;
  readonly found: RoundFindings;
}

/**
 * Joins rounds to the outcome of one run of all rounds. Each target has its rounds up to its first violation, which ends it.
 * @param foundIn returns the result of a round; undefined where it is unknown.
 * @param seconds the time of all rounds.
 */
export function joinRounds(
  plan: RoundsPlan,
  foundIn: (target: number, round: number) => RoundFindings | undefined,
  seconds: number,
): FuzzOutcome {
  const { targets, runs, maxSize } = plan;
  const each = targets.map((_, target) => roundsUpToViolation(plan, target, foundIn));
  const lacks = each.some(({ isWhole }) => !isWhole);
  // In the order of a single run: a round at a time, in which the targets take turns.
  const known = each.flatMap((one) => one.known).sort((x, y) => x.round - y.round || x.target - y.target);
  const failing = known
    .filter(({ found: { finding } }) => finding !== undefined)
    .sort((x, y) => x.round - y.round || turnOf(x) - turnOf(y) || x.target - y.target);
  const findings = failing.flatMap(({ found: { finding } }) => finding ?? []);
  const [alike, worst] = [new SimilarCases(), new WorstResults()];
  for (const { target, found } of known) {
    alike.add(asJudged(found.recent), targets[target]);
    for (const result of found.worst) worst.add(result);
  }
  for (const { target, found } of failing)
    if (found.finding !== undefined) alike.known(found.finding, targets[target], asJudged(found.more));
  const count = { run: 0, pass: 0, fail: 0, inconclusive: 0, comparedWithModel: 0, equalToModel: 0 };
  for (const { found } of known)
    for (const key of Object.keys(count) as (keyof typeof count)[]) count[key] += found.count[key];
  const decided = each.map((one) =>
    one.known.reduce((sum, { found: { count: own } }) => sum + own.pass + own.fail, 0),
  );
  const coverage = known
    .map(({ found }) => found.coverage)
    .reduce(joinCoverage, { counts: {}, exponents: {} });
  const planned = findings.length === 0 ? Math.max(count.run, runs * targets.length) : count.run;
  const shown = [...findings.map(({ result }) => result), ...worst.results()];
  const verdict = verdictOf({ findings, count, interrupted: lacks, decided, runs });
  const about = { planned, seconds, interrupted: lacks, maxSize, runs, corpus: 0 };
  return toFuzzOutcome({ ...verdict, findings, coverage, count, shown, alike }, about);
}

/** Returns the rounds of a target that a single run would have, and whether all of these are known. */
function roundsUpToViolation(
  plan: RoundsPlan,
  target: number,
  foundIn: (target: number, round: number) => RoundFindings | undefined,
): { readonly known: readonly Known[]; readonly isWhole: boolean } {
  const known: Known[] = [];
  let isWhole = true;
  for (let round = 0; round < roundsOf(plan); round++) {
    const found = foundIn(target, round);
    if (found === undefined) isWhole = false;
    else known.push({ target, round, found });
    if (found?.finding !== undefined) break;
  }
  return { known, isWhole };
}

/** Returns the number of turns of a target in a round before that of its violation. */
const turnOf = ({ found: { finding } }: Known): number =>
  Math.floor(Number(finding?.path?.split(':')[0] ?? 0) / TURN);

const asJudged = (results: RoundFindings['recent']) => results.map((result) => ({ result }));
