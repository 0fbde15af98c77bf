import { createRandom, type Random } from '../base/random.ts';
import type { ScaleFactor } from '../matrix/factor.ts';
import { type Case, changeCase } from '../problem/case.ts';
import type { FlatCase, GemmProblem } from '../problem/problem.ts';

/** A random stream that no family draws from. */
const STREAM = 3000;
/** Limits of the other products of a list, so that they cost little. */
interface Limits {
  readonly most: number;
  /** The largest size of a case whose shape one product in four has, so that kernels may confuse the two. */
  readonly alike: number;
  /** About one size in so many is 0. */
  readonly empty: number;
}
const USUAL: Limits = { most: 40, alike: 40, empty: 12 };
const OF_MANY: Limits = { most: 4, alike: 12, empty: 6 };
/** The largest group of usual products. */
const FEW = 64;

const PLACES = ['last', 'first', 'inner'] as const;

/** Returns the place of a case among the products of a large group; undefined in a small one. */
export const placeInLargeGroup = ({
  group,
  seed,
  m,
  k,
  n,
}: GemmProblem): (typeof PLACES)[number] | undefined =>
  group > FEW ? PLACES[(seed + m + k + n) % PLACES.length] : undefined;
const FACTORS = [1, -1, 0.5, 2];

/**
 * Returns the other products of a case's list, in their order. Each has its own shape, factors and operands, and the same gaps in storage.
 * Seed and shape of the case decide what they are and how many come first.
 * @param takes true if the kernel accepts a product; one that it does not accept gets the shape of the case.
 */
export function listNeighbors(
  value: Case,
  takes: (other: Case) => boolean,
): { before: Case[]; after: Case[] } | undefined {
  const { group, seed, m, k, n } = value.problem;
  if (group === 1) return undefined;
  const random = createRandom(
    (seed + Math.imul(m, 73) + Math.imul(k, 179) + Math.imul(n, 283)) >>> 0,
    STREAM,
  );
  const others = Array.from({ length: group - 1 }, () => {
    const other = anyBeside(value, random);
    if (takes(other)) return other;
    const { m, k, n, alpha, beta } = value.problem;
    return changeCase(other, { m, k, n, alpha, beta });
  });
  const places = { first: 0, last: group - 1, inner: random.int(0, group - 1) };
  const place = placeInLargeGroup(value.problem);
  const at = place === undefined ? (seed + m + k + n) % group : places[place];
  return { before: others.slice(0, at), after: others.slice(at) };
}

function anyBeside(value: Case, random: Random): Case {
  const { problem } = value;
  const { most, alike, empty } = problem.group > FEW ? OF_MANY : USUAL;
  const isAlike = random.int(0, 3) === 0;
  const isSmall = Math.max(problem.m, problem.k, problem.n) <= alike;
  const size = (own: number) =>
    isAlike && isSmall ? own : random.int(0, empty) === 0 ? 0 : random.int(1, most);
  const factor = (usual: number, own: ScaleFactor): ScaleFactor =>
    own === usual ? own : FACTORS[random.int(0, FACTORS.length - 1)];
  const drawn: Partial<FlatCase> = {
    ...{ m: size(problem.m), k: size(problem.k), n: size(problem.n) },
    ...{ alpha: factor(1, problem.alpha), beta: factor(0, problem.beta), batch: 1 },
    ...{ input: 'uniform', edit: 'none', seed: random.bits(), group: 1, levels: 0 },
  };
  return changeCase(value, drawn);
}
