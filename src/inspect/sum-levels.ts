import type { InspectionContext, SumBits } from './question.ts';
import { reachFor, topFor } from './sum-bits.ts';
import { countTerms, type SummationNode, type SummationTree } from './summation-tree.ts';
import { type DotProduct, type DotTerm, negateTerm, powerOfTwoTerm } from './terms.ts';

/** A sum within a tree, and the number of bits that reach the next sum. */
export interface SumLevel {
  readonly node: SummationNode;
  /** Number of terms under the sum. */
  readonly terms: number;
  readonly bits: number;
  /** Two terms that meet in this sum, and one that meets them in the next. */
  readonly places: readonly [number, number, number];
}

/** A sum of a tree that is part of another one. */
export type InnerSum = Omit<SumLevel, 'bits'>;

/** Returns all sums but the last, whose bits are those of the result, and those in which nothing is lost. */
function innerSums(tree: SummationTree): InnerSum[] {
  const found: InnerSum[] = [];
  const visit = (node: SummationNode): void => {
    for (const part of node.parts) {
      if (typeof part === 'number') continue;
      if (part.exact !== true) {
        const [x, y] = part.parts.map(firstOf);
        const beside = node.parts.find((other) => other !== part) as SummationTree;
        found.push({ node: part, terms: countTerms(part), places: [x, y, firstOf(beside)] });
      }
      visit(part);
    }
  };
  if (typeof tree !== 'number') visit(tree);
  return found;
}

/** Returns one of the terms of a tree. */
export function firstOf(tree: SummationTree): number {
  let at = tree;
  while (typeof at !== 'number') at = at.parts[0];
  return at;
}

/** Makes a dot product of k terms, all zero but these. */
export function makeSparseDot(
  k: number,
  terms: readonly (readonly [place: number, term: DotTerm])[],
): DotProduct {
  const [a, b] = [new Array<number>(k).fill(0), new Array<number>(k).fill(0)];
  for (const [place, [x, y]] of terms) {
    a[place] = x;
    b[place] = y;
  }
  return { a, b };
}

/**
 * Measures the bits that leave each sum of a tree. 1 and 2^-t meet in the sum, and −1 is added in the next. If 2^-t is left, t + 1 bits
 * went from one sum to the other.
 * @param first the width that three terms show. Most sums have this width, and are tested for it alone.
 */
export async function measureSumLevels(
  context: InspectionContext,
  k: number,
  tree: SummationTree,
  first: SumBits,
): Promise<SumLevel[]> {
  const wide = context.measures.wideExponents === true;
  const reach = reachFor(context.session, wide);
  const inner = innerSums(tree);
  const endless = first.atLeast || first.words;
  const expected = Math.min(reach, endless ? reach : first.bits - 1);
  const survive = async (questions: readonly { at: number; t: number }[]): Promise<boolean[]> => {
    const dots = questions.map(({ at, t }) => {
      const top = topFor(t, wide);
      const [one, small] = [powerOfTwoTerm(top), powerOfTwoTerm(top - t)];
      const [i, j, l] = inner[at].places;
      return makeSparseDot(k, [
        [i, one],
        [j, small],
        [l, negateTerm(one)],
      ]);
    });
    const answers = await context.session.dots(dots, k);
    return questions.map(({ t }, at) => answers[at] === 2 ** (topFor(t, wide) - t));
  };
  const all = [...inner.keys()];
  // `yes` is the largest t known to be left; `no` is the smallest t known to be lost.
  const yes = all.map(() => -1);
  const no = all.map(() => reach + 1);
  const next = (at: number): number => {
    if (yes[at] === -1 && no[at] === reach + 1) return expected;
    if (yes[at] === expected && no[at] === reach + 1) return expected + 1;
    return Math.floor((yes[at] + no[at]) / 2);
  };
  for (;;) {
    const open = all.filter((at) => no[at] - yes[at] > 1).map((at) => ({ at, t: next(at) }));
    if (open.length === 0) break;
    const answers = await survive(open);
    for (const [q, { at, t }] of open.entries()) (answers[q] ? yes : no)[at] = t;
  }
  const bitsAt = (at: number) =>
    yes[at] === reach ? Math.max(first.bits, endless ? 0 : reach + 1) : yes[at] + 1;
  return inner.map((one, at) => ({ ...one, bits: bitsAt(at) }));
}

/** Describes the widths: "24", or where they differ: "53 within chunks of 8 terms, 24 between them". */
export function describeSumLevels(levels: readonly Pick<SumLevel, 'terms' | 'bits'>[]): string {
  const widths = [...new Set(levels.map(({ bits }) => bits))].sort((x, y) => x - y);
  if (widths.length === 1) return `${widths[0]}`;
  if (widths.length === 2) {
    const rule = (holds: (terms: number) => boolean, inside: number, others: number) =>
      levels.every(({ terms, bits }) => bits === (holds(terms) ? inside : others));
    for (const [narrow, wide] of [widths, [...widths].reverse()]) {
      const sizes = levels.filter(({ bits }) => bits === narrow).map(({ terms }) => terms);
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
      if (rule((terms) => terms <= most, narrow, wide)) {
        return `${narrow} in sums of up to ${most} terms, ${wide} in longer ones`;
      }
      if (rule((terms) => terms % least === 0, narrow, wide)) {
        return `${wide} within chunks of ${least} terms, ${narrow} between them`;
      }
    }
  }
  const counts = widths.map((width) => `${width} in ${levels.filter(({ bits }) => bits === width).length}`);
  return `${counts.join(', ')} of ${levels.length} sums`;
}
