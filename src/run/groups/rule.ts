import { type Bits, both, inBoth, sizeOf } from './bits.ts';
import type { Clause } from './clauses.ts';

/** Clauses that are all true of the cases that it is about. */
export interface Rule {
  readonly clauses: readonly Clause[];
  readonly holds: Bits;
}

/** Clauses that a rule has at most. */
const MOST_CLAUSES = 3;
/** Rules that are made longer, the best of each length. */
const KEPT = 24;
/** Clauses that rules are made longer by: those that say most by themselves. */
const TRIED = 96;

/**
 * Bits by which a rule must say more than what choosing it among all costs: that of as many cases chosen at random the same
 * could be said has a chance of one in eight.
 */
const LEAST = 3;

/**
 * The rule that tells failing cases best from those that pass, if one does. What a rule says is how unlikely it is that a set
 * of as many cases holds so many that fail (the hypergeometric distribution), in bits, less the bits that it takes to choose its
 * clauses: so a simple rule with exceptions is preferred to a longer one without, where these are few. After the minimum
 * description length of Quinlan and Rivest, "Inferring decision trees using the minimum description length principle", 1989,
 * of which a rule is a path from the root to a leaf.
 * @param failing those that fail, @param judged all that pass or fail
 */
export function bestRule(clauses: readonly Clause[], failing: Bits, judged: Bits): Rule | undefined {
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

/** The rule with one clause more, in the order of all; nothing where that changes nothing. */
function extended({ clauses, holds }: Rule, more: Clause, order: readonly Clause[]): Rule[] {
  const isLater = order.indexOf(more) > order.indexOf(clauses[clauses.length - 1]);
  if (!isLater) return [];
  const narrower = both(holds, more.holds);
  const size = sizeOf(narrower);
  return size === 0 || size === sizeOf(holds) ? [] : [{ clauses: [...clauses, more], holds: narrower }];
}

/** How much a rule says, in bits, less what choosing it costs. */
function scorer(choices: number, failing: Bits, judged: Bits) {
  const [all, fail] = [sizeOf(judged), sizeOf(failing)];
  const factorials = logFactorials(all);
  const choose = (n: number, k: number) => factorials[n] - factorials[k] - factorials[n - k];
  const price = Math.log2(Math.max(2, choices));
  return (rule: Rule) => {
    const [covered, hit] = [inBoth(rule.holds, judged), inBoth(rule.holds, failing)];
    const cost = rule.clauses.reduce((sum, clause) => sum + clause.cost + price, 0);
    if (hit * all <= fail * covered) return { rule, score: -cost, isExact: false };
    const likelihood = choose(fail, hit) + choose(all - fail, covered - hit) - choose(all, covered);
    return { rule, score: -likelihood - cost, isExact: hit === fail && covered === hit };
  };
}

/** log2 of 0!, 1!, …, n!. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let at = 2; at <= n; at++) logs[at] = logs[at - 1] + Math.log2(at);
  return logs;
}
