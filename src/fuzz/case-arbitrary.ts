import type fc from 'fast-check';
import type { InputFamily } from '../inputs/input.ts';
import { integers } from '../inputs/integers.ts';
import { subnormals } from '../inputs/special-values.ts';
import { uniform } from '../inputs/uniform.ts';
import { type Case, caseOf, flattenCase } from '../problem/case.ts';
import type { DrawRanges } from '../problem/draws.ts';
import type { FieldKey, FlatCase } from '../problem/problem.ts';
import { DrawnFields } from './drawn-fields.ts';
import { settleFields } from './settle-fields.ts';
import type { Target } from './target.ts';

/** The range of drawn cases, besides the kernel. */
export interface CaseSpace {
  /** The largest m, k and n. */
  readonly maxSize: number;
  /** Families of test matrices. */
  readonly families: readonly InputFamily[];
  /** Most multiplications of a case, m·k·n. @defaultValue {@link MOST_PRODUCTS} */
  readonly products?: number | undefined;
}

/** Default limit of multiplications: many cases tell more than few large ones. */
const MOST_PRODUCTS = 2 ** 20;

/** The drawn fields, in the order in which they shrink: the smallest shape, then the simplest input. */
const KEYS: readonly FieldKey[] = [
  ...(['m', 'k', 'n', 'batch', 'group', 'epilogue', 'levels', 'fringe', 'tail', 'edit', 'input'] as const),
  ...(['alpha', 'beta', 'd', 'c', 'a', 'b', 'seed'] as const),
];

/**
 * Returns the arbitrary of the cases of one kernel. It draws a description of the operands, never their entries, so that a case can be
 * shrunk and written in a line. An input that refuses a shape is replaced by the next one. A shape that the kernel or every input refuses
 * is drawn again.
 * @throws ParanoiaError `no-cases` where every shape is refused.
 */
export function caseArbitrary(target: Target, space: CaseSpace): fc.Arbitrary<Case> {
  const own = familiesFor(target, space);
  const drawn = drawRangesFor(target, space);
  const { products = MOST_PRODUCTS } = space;
  const settle = (fields: Partial<FlatCase>) => {
    const { m = 1, k = 1, n = 1 } = fields;
    if (m * k * n > products) return undefined;
    const found = settleFields(fields, target, own);
    return found === undefined ? undefined : flattenCase(found);
  };
  return new DrawnFields(KEYS, drawn, settle).map(caseOf, (value) => flattenCase(value as Case));
}

/** Returns the ranges of the fields of a target's cases. */
export function drawRangesFor(target: Target, space: CaseSpace): DrawRanges {
  const { tiles, around, levels, manners: methods, features, epilogues } = target;
  const inputs = familiesFor(target, space).map(({ name }) => name);
  return { maxSize: space.maxSize, tiles, around, levels, methods, inputs, edits: true, features, epilogues };
}

/** Returns the families of a target's cases, the simplest first. */
export function familiesFor({ subnormals: kept }: Target, { families }: CaseSpace): InputFamily[] {
  // No check can judge a product of subnormal numbers alone where the device flushes them.
  const own = families.filter((family) => kept || family !== subnormals);
  return own.sort((x, y) => simplicity(x) - simplicity(y));
}

/** Returns the rank of a family in the order of shrinking. */
function simplicity(family: InputFamily): number {
  const simplest = [integers, uniform];
  const at = simplest.indexOf(family);
  return at < 0 ? simplest.length : at;
}
