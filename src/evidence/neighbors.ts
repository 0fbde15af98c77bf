import { createRandom, type Random } from '../base/random.ts';
import type { ScaleFactor } from '../matrix/factor.ts';
import { type Case, changeCase } from '../problem/case.ts';
import type { FlatCase } from '../problem/problem.ts';

/** A random stream that no family draws from. */
const STREAM = 3000;
/** The largest size drawn for a neighbor, so that neighbors cost little. */
const MOST = 40;
/** About one size in 12 is 0. One product in four has the shape of the case, so that kernels may confuse the two. */
const EMPTY = 12;
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
  const at = (seed + m + k + n) % group;
  return { before: others.slice(0, at), after: others.slice(at) };
}

function anyBeside(value: Case, random: Random): Case {
  const { problem } = value;
  const isAlike = random.int(0, 3) === 0;
  const isSmall = Math.max(problem.m, problem.k, problem.n) <= MOST;
  const size = (own: number) =>
    isAlike && isSmall ? own : random.int(0, EMPTY) === 0 ? 0 : random.int(1, MOST);
  const factor = (usual: number, own: ScaleFactor): ScaleFactor =>
    own === usual ? own : FACTORS[random.int(0, FACTORS.length - 1)];
  const drawn: Partial<FlatCase> = {
    ...{ m: size(problem.m), k: size(problem.k), n: size(problem.n) },
    ...{ alpha: factor(1, problem.alpha), beta: factor(0, problem.beta), batch: 1 },
    ...{ input: 'uniform', edit: 'none', seed: random.bits(), group: 1, levels: 0 },
  };
  return changeCase(value, drawn);
}
