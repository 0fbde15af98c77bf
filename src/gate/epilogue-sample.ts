import { sharedGrowth } from '../algorithms/growth.ts';
import { createRandom } from '../base/random.ts';
import type { Chain } from '../epilogue/chain-text.ts';
import { hasSpecialEntries, inputOf } from '../inputs/edits/edited-family.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import { acceptsOf, epiloguesOf, whyNotComputed } from '../kernels/check-kernel.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { ScaleFactor } from '../matrix/factor.ts';
import { GENERAL } from '../matrix/structure.ts';
import { changeCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import type { GemmProblem, Storage } from '../problem/problem.ts';
import { belongsToClass, sizeClasses } from '../problem/size-classes.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import { whyNoEpilogue } from '../problem/why-no-epilogue.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { isBounded } from './decided.ts';

/** A stream that no family draws from. */
const STREAM = 3104;

/** One product in this many stays without an epilogue, where the kernel accepts that; others do too where no bound decides. */
const PLAIN = 3;

/** Returns a kernel as one that accepts products without an epilogue, so that they can be planned first. */
export const withoutEpilogues = (spec: UserKernel): UserKernel => {
  if (typeof spec.accepts !== 'object' || spec.accepts.epilogue === undefined) return spec;
  const { epilogue: _, ...accepts } = spec.accepts;
  return Object.create(spec, { accepts: { value: accepts } });
};

/** Returns sentences on products of a kernel with epilogues that are not asked, or judged less sharply; none where it has no epilogues. */
export function describeEpilogueLimits(spec: UserKernel): string[] {
  const chains = epiloguesOf(spec).filter(({ steps }) => steps.length > 0);
  if (chains.length === 0) return [];
  const isGated = chains.some(({ gates }) => gates > 0);
  const others = [
    ...(acceptsOf(spec).grouped === true ? ['groups'] : []),
    ...['call sequences', 'the growth series'],
    ...(isGated ? ['odd n before a gate'] : []),
  ];
  const all = others.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return [
    `The epilogues of ${spec.name} were not tested with ${all}.`,
    'Errors behind an epilogue are judged by bounds: sigmas are not derived through its steps.',
  ];
}

/**
 * Lets epilogues follow the planned products of one kernel: about half of them, or all where the kernel accepts no others. Each case gets the
 * epilogue that meets the most new pairs with its sizes, layouts, factors and entries. Products that no epilogue can follow are left out
 * where the kernel accepts none without.
 */
export function withEpilogues(
  cases: readonly PlannedCase[],
  spec: UserKernel,
  items: CaseItems,
  seed: number,
): PlannedCase[] {
  const all = epiloguesOf(spec);
  const chains = all.filter(({ steps }) => steps.length > 0);
  if (chains.length === 0) return [...cases];
  const areFree = chains.length < all.length;
  const random = createRandom(seed, STREAM);
  const met = new Set<string>();
  return cases.flatMap((value) => {
    if (value.kernel !== spec.name) return [value];
    if (areFree && (random.int(1, PLAIN) === 1 || value.series)) return [value];
    const traits = traitsOf(value.problem);
    const candidates = chains.flatMap((chain) => {
      const made = behind(value, chain, spec, items);
      const pairs = traits.map((trait) => `${chain.text} ${trait}`);
      return made === undefined ? [] : [{ made, pairs, fresh: pairs.filter((one) => !met.has(one)).length }];
    });
    const most = Math.max(...candidates.map(({ fresh }) => fresh));
    const best = candidates.filter(({ fresh }) => fresh === most);
    if (best.length === 0) return areFree ? [value] : [];
    const { made, pairs } = best[random.int(0, best.length - 1)];
    for (const pair of pairs) met.add(pair);
    return [made];
  });
}

/** Returns a case with an epilogue, with an even n where a gate needs it; undefined where that is impossible. */
function behind(
  value: PlannedCase,
  chain: Chain,
  spec: UserKernel,
  items: CaseItems,
): PlannedCase | undefined {
  const { algorithms, inputs, precisions } = items;
  if (
    value.problem.structure !== GENERAL ||
    value.after !== undefined ||
    !isBounded(value, items, spec.claims)
  )
    return undefined;
  const { n } = value.problem;
  const parts = 2 ** chain.gates;
  const made = {
    ...value,
    ...changeCase(value, { epilogue: chain.text, program: 0, sweep: 0, n: parts * Math.ceil(n / parts) }),
    series: false,
  };
  const { problem } = made;
  if (whyNoEpilogue(chain, problem) !== undefined || whyImpossible(made) !== undefined) return undefined;
  if (whyNotComputed(spec, toGemm(problem)) !== undefined) return undefined;
  const { levels, table } = claimedAlgorithmFor(spec.claims ?? {}, problem, algorithms);
  // Sums of blocks may turn infinities into NaN, and no bound says what follows.
  if (levels > 0 && hasSpecialEntries(problem, inputs)) return undefined;
  const limits = { levels, growth: sharedGrowth(table), precision: precisions.find(problem.precision) };
  const { m, k } = problem;
  const family = inputOf(problem, inputs);
  if (!family.accepts({ m, k, n: problem.n, ...limits }).ok) return undefined;
  // A product that is nearly I has an entry near 0 in each pair of halves, so that all of D cancels.
  if (chain.gates > 0 && family.hasIdeal && family.exactness === 'none') return undefined;
  return { ...made, method: { ...made.method, levels } };
}

/** Returns the values of the properties by which a kernel may select a code path. */
function traitsOf({ m, k, n, alpha, beta, batch, input, repeats, ...laid }: GemmProblem): string[] {
  const sizes = Object.entries({ m, k, n }).flatMap(([key, size]) => [
    ...sizeClasses.filter((one) => belongsToClass(size, one)).map(({ name }) => `${key} ${name}`),
    `${key} mod 4 ${size % 4}`,
  ]);
  const layouts = (['a', 'b', 'c', 'd'] as const).flatMap((key) =>
    storageTraits(laid[key]).map((one) => `${key} ${one}`),
  );
  return [
    ...[...sizes, ...layouts, `input ${input}`, `repeated ${repeats > 1}`],
    ...[`alpha ${kindOf(alpha)}`, `beta ${kindOf(beta)}`, `batch ${batch > 1}`],
  ];
}

const storageTraits = (storage: Storage | undefined): string[] => {
  if (storage === undefined) return ['overwrites'];
  const { op, order, pad, offset, gap } = storage;
  return [
    op,
    order,
    `padded ${pad > 0}`,
    `offset ${offset > 0}`,
    `gap ${typeof gap === 'number' ? gap > 0 : gap}`,
  ];
};

const kindOf = (factor: ScaleFactor): string =>
  factor === 0 || factor === 1 || factor === -1 ? String(factor) : 'another';
