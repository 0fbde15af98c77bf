import { ownEpilogues } from '../kernels/own-epilogues.ts';
import { whyUnsupported } from '../kernels/why-unsupported.ts';
import { isPlain } from '../matrix/gemm.ts';
import { GENERAL } from '../matrix/structure.ts';
import type { Precision } from '../precision/precision.ts';
import { changeCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import type { PlannedCase } from '../run/planned-case.ts';

/** A campaign has at most one case with an epilogue for so many others. */
const EVERY = 64;

/** Families of finite numbers of like sizes, which bounds judge. */
const families: readonly string[] = ['integers', 'uniform', 'uniform-2-5'];

/** The multiplications of a product that shows tails of tiles, and takes no longer than most. */
const SIZE = { least: 2 ** 12, most: 2 ** 16 };

/** A step between ways to compute, and between their cases, that is coprime to most of their numbers. */
const STRIDE = 7;

/**
 * Returns planned cases of our kernels in a precision with an epilogue each: one case for each epilogue, by kernels and levels in turn. Every other one is
 * of dense matrices without levels, so that leaf products have the steps in their last sum.
 */
export function ownEpilogueCases(cases: readonly PlannedCase[], precision: Precision): PlannedCase[] {
  const all = cases.filter(mayFollow);
  const dense = all.filter(({ method, problem }) => method.levels === 0 && isPlain(toGemm(problem)));
  const pools = [dense, all].map(byWay);
  return ownEpilogues.slice(0, Math.floor(cases.length / EVERY)).flatMap((epilogue, turn) => {
    const pool = pools[turn % pools.length];
    if (pool.length === 0) return [];
    const own = pool[(STRIDE * turn) % pool.length];
    const value = own[(STRIDE * turn) % own.length];
    const made = { ...value, ...changeCase(value, { epilogue }) };
    const why = whyImpossible(made) ?? whyUnsupported(toGemm(made.problem), precision);
    return why === undefined ? [made] : [];
  });
}

/** Groups cases by their kernel and levels. */
function byWay(cases: readonly PlannedCase[]): PlannedCase[][] {
  const ways = new Map<string, PlannedCase[]>();
  for (const value of cases) {
    const way = `${value.kernel} ${value.method.levels}`;
    ways.set(way, [...(ways.get(way) ?? []), value]);
  }
  return [...ways.values()];
}

function mayFollow({ series, after, method, problem }: PlannedCase): boolean {
  const { m, k, n, batch, alpha, input, edit, repeats, program, group, structure } = problem;
  const size = m * k * n * batch;
  const isAlone = !series && after === undefined && repeats === 1 && program === 0 && group === 1;
  const isUsual = families.includes(input) && edit === 'none' && structure === GENERAL && alpha !== 0;
  return (
    isAlone &&
    isUsual &&
    method.levels <= 1 &&
    size >= SIZE.least &&
    size <= SIZE.most &&
    Math.min(m, k, n) > 4
  );
}
