import { type CaseSet, type Clause, countCases, countCommon, intersectSets } from './clauses.ts';

/** A conjunction of clauses, with the cases for which it is true. */
export interface FailureRule {
  readonly clauses: readonly Clause[];
  readonly holds: CaseSet;
}

/** Most clauses of a rule. */
const MOST_CLAUSES = 3;
/** Number of best rules of each length that are extended. */
const KEPT = 24;
/** Number of clauses by which rules are extended: those with the best scores of their own. */
const TRIED = 96;

/**
 * Bits by which a rule must say more than its choice among all rules costs. At 3 bits, as many cases chosen at random fit as well with
 * a chance of one in eight.
 */
const LEAST = 3;

/**
 * Finds the rule that best separates failing from passing cases, if there is one. A rule's score is the improbability, in bits, that a
 * set of as many cases holds so many failures (the hypergeometric distribution). The bits that it takes to choose its clauses are
 * subtracted. So a simple rule with few exceptions is preferred to a longer one without. After the minimum description length of Quinlan
 * and Rivest, "Inferring decision trees using the minimum description length principle", 1989, where a rule is a path from the root to a
 * leaf.
 * @param failing the failing cases, @param judged all that pass or fail
 */
export function bestRule(
  clauses: readonly Clause[],
  failing: CaseSet,
  judged: CaseSet,
): FailureRule | undefined {
  const scoreOf = scorer(clauses.length, failing, judged);
  const scored = clauses
    .map((clause) => scoreOf({ clauses: [clause], holds: clause.holds }))
    .sort((x, y) => y.score - x.score);
  const tried = scored.slice(0, TRIED).map(({ rule }) => rule.clauses[0]);
  let [best, frontier] = [scored[0], scored.slice(0, TRIED)];
  for (let length = 2; length <= MOST_CLAUSES && best?.isExact === false; length++) {
    const longer = frontier
      .flatMap(({ rule }) => tried.flatMap((more) => extended(rule, more, tried)))
      .map(scoreOf)
      .sort((x, y) => y.score - x.score);
    if (longer.length > 0 && longer[0].score > best.score) best = longer[0];
    frontier = longer.slice(0, KEPT);
  }
  return best !== undefined && best.score >= LEAST ? best.rule : undefined;
}

/** Extends the rule by one clause, in the order of all clauses. Returns nothing where the clause changes nothing. */
function extended({ clauses, holds }: FailureRule, more: Clause, order: readonly Clause[]): FailureRule[] {
  const isLater = order.indexOf(more) > order.indexOf(clauses[clauses.length - 1]);
  if (!isLater) return [];
  const narrower = intersectSets(holds, more.holds);
  const size = countCases(narrower);
  return size === 0 || size === countCases(holds) ? [] : [{ clauses: [...clauses, more], holds: narrower }];
}

/** Returns the scoring function: the information of a rule, in bits, less the cost of its choice. */
function scorer(choices: number, failing: CaseSet, judged: CaseSet) {
  const [all, fail] = [countCases(judged), countCases(failing)];
  const factorials = logFactorials(all);
  const choose = (n: number, k: number) => factorials[n] - factorials[k] - factorials[n - k];
  const price = Math.log2(Math.max(2, choices));
  return (rule: FailureRule) => {
    const [covered, hit] = [countCommon(rule.holds, judged), countCommon(rule.holds, failing)];
    const cost = rule.clauses.reduce((sum, clause) => sum + clause.cost + price, 0);
    if (hit * all <= fail * covered) return { rule, score: -cost, isExact: false };
    const likelihood = choose(fail, hit) + choose(all - fail, covered - hit) - choose(all, covered);
    return { rule, score: -likelihood - cost, isExact: hit === fail && covered === hit };
  };
}

/** Returns log2 of 0!, 1!, …, n!. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let at = 2; at <= n; at++) logs[at] = logs[at - 1] + Math.log2(at);
  return logs;
}
