import { sharedGrowth } from '../algorithms/growth.ts';
import { createRandom } from '../base/random.ts';
import { settleFields } from '../fuzz/settle-fields.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import { acceptsOf, whyNotComputed } from '../kernels/check-kernel.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { GENERAL, readStructures, structures } from '../matrix/structure.ts';
import { changeCase, flattenCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { RANDOM } from './drawn-entries.ts';
import { weightOf } from './sampler.ts';

/** One in this many cases of a kernel of general products gets a structured copy. */
const COPIED = 3;
/** A stream that no family draws from. */
const STREAM = 3104;
/** The family whose entries are special. */
const SPECIAL = 'special-values';
/** Edits after which a matrix may be multiplied by its own transpose: no NaN, and no factors that only the other operand cancels. */
const SAFE = /^(held|whole|ones|powers|equal-rows|minus-zeros|permuted|zero-(rows|columns|inner):[\d-]+)$/;

const structuresOf = (spec: UserKernel): readonly string[] =>
  (readStructures(acceptsOf(spec).structure) ?? []).filter((name) => name !== GENERAL);

/** True if a kernel computes structured products alone. */
export const isOnlyStructured = (spec: UserKernel): boolean =>
  readStructures(acceptsOf(spec).structure)?.includes(GENERAL) === false;

/** Returns a kernel as if it computed general products, by which its sizes and features are planned. */
export const asGeneral = (spec: UserKernel): UserKernel =>
  structuresOf(spec).length === 0 ? spec : { ...spec, accepts: { ...acceptsOf(spec), structure: GENERAL } };

/**
 * Gives the planned cases of a kernel the structures that it accepts, at random: all cases where it computes no general products, else
 * some copies of them.
 */
export function withStructures(
  cases: readonly PlannedCase[],
  spec: UserKernel,
  seed: number,
  items: CaseItems,
): PlannedCase[] {
  const names = structuresOf(spec);
  if (names.length === 0) return [...cases];
  const random = createRandom(seed, STREAM);
  const isAll = isOnlyStructured(spec);
  return cases.flatMap((value) => {
    const structure = names[random.int(0, names.length - 1)];
    const isCopied = isAll || random.int(1, COPIED) === 1;
    const made = isCopied ? structured(value, structure, spec, items) : undefined;
    return [...(isAll ? [] : [value]), ...(made === undefined ? [] : [made])];
  });
}

function structured(
  value: PlannedCase,
  structure: string,
  spec: UserKernel,
  { algorithms, precisions, inputs }: CaseItems,
): PlannedCase | undefined {
  const { claims = {} } = spec;
  const levels = (shape: Shape) => claimedAlgorithmFor(claims, shape, algorithms).levels;
  const { table } = claimedAlgorithmFor(claims, { m: 1, k: 1, n: 1 }, algorithms);
  const { input, edit, precision } = value.problem;
  const target = {
    ...{ kernel: spec.name, claimed: levels },
    limits: { precision: precisions.find(precision), growth: sharedGrowth(table) },
    refuses: (asked: Shape | Gemm) => whyNotComputed(spec, asked),
  };
  const entries = {
    input: input === SPECIAL ? RANDOM : input,
    edit: SAFE.test(edit) ? edit : 'none',
    ...{ program: 0, sweep: 0, structure, ...equalSizes(value.problem, structure) },
  };
  const families = [input === SPECIAL ? RANDOM : input, RANDOM].map(inputs.find);
  const made = settleFields(flattenCase(changeCase(value, entries)), target, families);
  return made && { ...value, ...made, series: false, detailed: false };
}

/** Most multiplications and entries of a case that grows by equal sizes. */
const MOST = 2 ** 20;

/** Returns the two equal sizes of a structure: the first of them, or the smaller one where the product would become large. */
function equalSizes(shape: Shape, structure: string): Partial<Shape> {
  const [kept, made] = structures.find(structure).equal;
  const isSmall = weightOf({ ...shape, [made]: shape[kept] }) <= Math.max(MOST, weightOf(shape));
  const size = isSmall ? shape[kept] : Math.min(shape[kept], shape[made]);
  return { [kept]: size, [made]: size };
}
