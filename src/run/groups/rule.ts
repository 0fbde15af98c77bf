import type { FlatCase } from '../../problem/problem.ts';
import { type NumberTrait, nameTraits, numberTraits, type Trait, traits } from './traits.ts';

/** A property of some cases: the text that follows "with" in "those with k ≡ 1 mod 16". */
export interface Clause {
  readonly says: string;
  readonly test: (all: FlatCase) => boolean;
  readonly holds: CaseSet;
  /** Prior cost of the clause, in bits: higher for less likely properties. */
  readonly cost: number;
  /** True for an end of a range that lies somewhere between two cases. */
  readonly isEnd?: boolean | undefined;
}

export interface LabeledCase {
  readonly all: FlatCase;
  readonly fails: boolean;
}

/** Returns every clause that is true for some cases and not for all. Among clauses true for the same cases, the likeliest is kept. */
export function clausesOf(cases: readonly LabeledCase[]): Clause[] {
  const flats = cases.map(({ all }) => all);
  const all = [
    ...traits,
    ...numberTraits.flatMap((trait) => ofNumber(trait, cases)),
    ...nameTraits.flatMap(([name, of]) => ofName(name, of, flats)),
  ];
  const kept = new Map<string, Clause>();
  for (const { says, holds: test, cost = 0, isEnd } of all) {
    const holds = makeCaseSet(flats.length, (at) => test(flats[at]));
    const size = countCases(holds);
    if (size === 0 || size === flats.length) continue;
    const key = holds.join();
    const known = kept.get(key);
    if (known === undefined || cost < known.cost) kept.set(key, { says, test, holds, cost, isEnd });
  }
  return [...kept.values()];
}

function ofName(name: string, of: (all: FlatCase) => string, cases: readonly FlatCase[]): Trait[] {
  const isNumber = name === 'alpha' || name === 'beta';
  return [...new Set(cases.map(of))].flatMap((value) => {
    const is = isNumber ? `${name} = ${value}` : `${name} ${value}`;
    const other = isNumber ? `${name} ≠ ${value}` : `${name} other than ${value}`;
    return [
      { says: is, holds: (all: FlatCase) => of(all) === value },
      { says: other, holds: (all: FlatCase) => of(all) !== value, cost: 1.5 },
    ];
  });
}

/** Up to here every value of a size is examined. Above, only powers of two and the values where failures begin or end. */
const SMALL = 128;

function ofNumber(trait: NumberTrait, cases: readonly LabeledCase[]): Trait[] {
  const { of, isSize } = trait;
  const values = [...new Set(cases.map(({ all }) => of(all)))].sort((x, y) => x - y);
  const telling = new Set(
    [true, false].flatMap((fails) =>
      endsOf(cases.filter((one) => one.fails === fails).map(({ all }) => of(all))),
    ),
  );
  const isTelling = (below: number, above: number) =>
    (isSize && above <= SMALL) ||
    telling.has(below) ||
    telling.has(above) ||
    2 ** Math.floor(Math.log2(Math.max(1, above - 1))) >= below;
  const thresholds = values
    .slice(1)
    .flatMap((above, at) => (isTelling(values[at], above) ? thresholdsAt(trait, values[at], above) : []));
  if (!isSize) return thresholds;
  const few = values.filter((value) => value <= SMALL || Number.isInteger(Math.log2(value)));
  return [...thresholds, ...singles(trait, few), ...residues(trait)];
}

/** Returns the least and the largest value. */
const endsOf = (values: readonly number[]): number[] =>
  values.length === 0
    ? []
    : [values.reduce((x, y) => Math.min(x, y)), values.reduce((x, y) => Math.max(x, y))];

/** Returns clauses for a threshold between two successive values. */
function thresholdsAt({ name, of, cost }: NumberTrait, below: number, above: number): Trait[] {
  // The exact threshold is unknown. The roundest number is reported, unless it might be far off.
  const t = above <= 2 * below ? roundest(below, above - 1) : undefined;
  const [more, fewer] =
    t === undefined ? [`${name} ≥ ${above}`, `${name} ≤ ${below}`] : [`${name} > ${t}`, `${name} ≤ ${t}`];
  return [
    { says: more, holds: (all) => of(all) >= above, cost: cost + 0.5, isEnd: true },
    { says: fewer, holds: (all) => of(all) <= below, cost: cost + 0.5, isEnd: true },
  ];
}

/** Returns the whole number of a range that the highest power of two divides; the least of several. */
function roundest(least: number, most: number): number {
  for (let power = 2 ** Math.floor(Math.log2(Math.max(1, most))); power > 1; power /= 2) {
    const first = Math.ceil(least / power) * power;
    if (first <= most && first > 0) return first;
  }
  return least;
}

const singles = ({ name, of }: NumberTrait, values: readonly number[]): Trait[] =>
  values.map((value) => ({
    says: `${name} = ${value}`,
    holds: (all) => of(all) === value,
    cost: value <= 1 ? 0 : 1.5,
  }));

/** Moduli for residues of sizes. */
const MODULI = [2, 4, 8, 16, 32, 64, 3, 5, 6, 12];

function residues({ name, of }: NumberTrait): Trait[] {
  return MODULI.flatMap((q): Trait[] => {
    const cost = Math.log2(q) / 2 + (Number.isInteger(Math.log2(q)) ? 0 : 1.5);
    const exact = Array.from({ length: q }, (_, r): Trait => {
      const says =
        r === 0 ? `${name} a multiple of ${q}` : q === 2 ? `odd ${name}` : `${name} ≡ ${r} mod ${q}`;
      return { says, holds: (all) => of(all) % q === r, cost };
    });
    const beyond = Array.from({ length: Math.max(0, q - 3) }, (_, at): Trait => {
      const r = at + 1;
      return { says: `${name} mod ${q} > ${r}`, holds: (all) => of(all) % q > r, cost: cost + 1.5 };
    });
    return [
      ...exact,
      {
        says: `${name} no multiple of ${q}`,
        holds: (all) => of(all) % q !== 0,
        cost: cost + 0.25,
      },
      ...(q <= 16 ? beyond : []),
    ];
  });
}

/** A set of cases, by their numbers, a bit each. */
type CaseSet = Uint32Array;

export function makeCaseSet(count: number, holds: (at: number) => boolean): CaseSet {
  const bits = new Uint32Array(Math.ceil(count / 32));
  for (let at = 0; at < count; at++) if (holds(at)) bits[at >>> 5] |= 1 << (at & 31);
  return bits;
}

const intersectSets = (x: CaseSet, y: CaseSet): CaseSet => x.map((word, at) => word & y[at]);

/** Counts the cases that two sets have in common. */
function countCommon(x: CaseSet, y: CaseSet): number {
  let count = 0;
  for (let at = 0; at < x.length; at++) count += ones(x[at] & y[at]);
  return count;
}

const countCases = (x: CaseSet): number => countCommon(x, x);

/** Counts the set bits of a word (Warren, Hacker's Delight, section 5-1). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A conjunction of clauses, with the cases for which it is true. */
interface FailureRule {
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
