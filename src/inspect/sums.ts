import { compensationsOf, type MeasuredCompensation } from './compensation.ts';
import type { FoundRounding, InspectionFinding } from './inspection.ts';
import type { InspectionContext, InspectionQuestion, QuestionAnswer, SumBits } from './question.ts';
import { REACH, roundingAt, roundingFinding } from './sum-bits.ts';
import { describeSumLevels, firstOf, makeSparseDot, measureSumLevels, type SumLevel } from './sum-levels.ts';
import type { DotTerm } from './terms.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** Measurement of the bits, the rounding and the compensation of every sum of the tree. */
export const sums: InspectionQuestion = {
  id: 'accumulator-bits',
  question: 'How many significant bits does a sum keep?',
  wrongProducts: 'subject',
  async ask(context) {
    const { known, measures } = context;
    const { sums: first, tree: found } = known;
    if (known.isSorted === true && first !== undefined) return [ofSorted(context, first)];
    if (first === undefined) throw new SkippedQuestion('The bits of sums of three terms are unknown.');
    if (found === undefined) return [ofThree(first), ...(await rounding(context, first.bits))];
    const { k, tree } = found;
    const seen = await measureSumLevels(context, k, tree, first);
    const endless = first.atLeast || first.words;
    const told = endless ? [] : await compensationsOf(context, k, tree, seen);
    // Compensation lends a bit.
    const wordOf = (bits: number) => told.find((one) => one.seen === bits)?.bits ?? bits;
    const levels = seen.map((level) => ({ ...level, bits: wordOf(level.bits) }));
    const bits = levels.length === 0 ? [first.bits] : levels.map((one) => one.bits);
    const [least, most] = [Math.min(...bits), Math.max(...bits)];
    known.levels = levels;
    measures.accumulatorBits = least;
    if (most > least) measures.accumulatorBitsMost = most;
    const isCompensated = told.some(({ compensated }) => compensated);
    if (told.length > 0) measures.compensated = isCompensated;
    return [
      inTree(context, { first, levels, told, carrying: seen.filter(({ bits }) => carries(told, bits)) }),
      ...(endless || isCompensated ? [] : await rounding(context, least, levels)),
    ];
  },
};

const carries = (told: readonly MeasuredCompensation[], bits: number) =>
  told.some(({ seen, compensated }) => compensated && seen === bits);

/** Returns the answer where no tree is known. */
function ofThree({ bits, atLeast, words }: SumBits): QuestionAnswer {
  return {
    answer: `${atLeast ? 'at least ' : ''}${bits}${sumName(bits, atLeast, words)} in sums of three terms; longer sums are unknown`,
    value: bits,
    confidence: 'likely',
    evidence: `${shownByThree({ bits, atLeast, words })} No tree of the sums was found.`,
  };
}

/** Returns the answer for sorted terms. Terms that cancel then meet before a sum loses anything: only the results' bits are known. */
function ofSorted({ measures }: InspectionContext, { bits }: SumBits): QuestionAnswer {
  const least = Math.min(bits, measures.storedBits ?? bits);
  measures.accumulatorBits = least;
  delete measures.sumsInWords;
  return {
    answer: `at least ${least}, as results have; other sums are unknown`,
    value: least,
    confidence: 'likely',
    evidence: 'The order of terms depends on the data: those that cancel may meet before anything is lost.',
  };
}

const shownByThree = ({ bits, atLeast, words }: SumBits): string =>
  atLeast
    ? `1 + 2^-${bits - 1} − 1 gave 2^-${bits - 1} in every order of the terms.`
    : words
      ? `1 + 2^-t − 1 gave 2^-t for all t up to ${REACH.wide}, but beside a third term only up to t = ${bits - 1}.`
      : `1 + 2^-t − 1 gave 2^-t in every order of the terms for t up to ${bits - 1}; with 2^-${bits} in some order not.`;

/** The findings on the sums of a tree. */
interface Shown {
  readonly first: SumBits;
  readonly levels: readonly SumLevel[];
  readonly told: readonly MeasuredCompensation[];
  /** The sums whose losses come back. */
  readonly carrying: readonly SumLevel[];
}

function inTree(context: InspectionContext, shown: Shown): QuestionAnswer {
  const { session, measures, known } = context;
  const { first, levels, told, carrying } = shown;
  const { accumulatorBits: least = 0, accumulatorBitsMost } = measures;
  const { k = 0 } = known.tree ?? {};
  const { m, n } = session.home(k, true);
  // Sorted terms that cancel meet before anything is lost. Sums that only seem to be exact may be compensated.
  const isOpen = known.isSortedWithin === true || measures.order === 'exact';
  const name = `${first.atLeast ? 'at least ' : ''}${least}${sumName(least, first.atLeast, first.words)}`;
  const widths = accumulatorBitsMost === undefined ? name : describeSumLevels(levels);
  const each =
    levels.length === 0
      ? shownByThree(first)
      : `${levels.length} sums of ${k} terms each: 2^-t was added to 1, then 1 subtracted, for many t.`;
  return {
    answer: `${widths}${carriedIn(carrying, levels)}; seen at m = ${m}, k = ${k * session.stride}, n = ${n}${session.termsInWords()}`,
    value: least,
    confidence: measures.deterministic === false || isOpen ? 'likely' : 'measured',
    evidence: `${each} ${lossesIn(told, levels)}Other shapes were not tested.`,
  };
}

/** Describes which sums are compensated. */
function carriedIn(carrying: readonly SumLevel[], levels: readonly SumLevel[]): string {
  if (carrying.length === 0) return '';
  const least = Math.min(...carrying.map(({ terms }) => terms));
  const where =
    carrying.length === levels.length
      ? ''
      : ` in ${carrying.length} of ${levels.length} sums, of ${least} terms or more`;
  return `, compensated${where}: later sums recover the loss, as in Kahan’s`;
}

function lossesIn(told: readonly MeasuredCompensation[], levels: readonly SumLevel[]): string {
  const some = told.filter(({ compensated }) => compensated).map(({ seen }) => seen);
  if (some.length > 0)
    return 'Parts of the last bit, each lost when it was added to 1, were there when 1 was subtracted. ';
  const asked = new Set(told.map(({ seen }) => seen));
  if (levels.length === 0 || levels.some(({ bits }) => !asked.has(bits)))
    return 'It is unknown if the loss of every sum is compensated. ';
  return 'Lost bits were not added later, as Kahan summation would. ';
}

/** Finds the rounding of sums of so many bits: the innermost, the outermost, and the last where results keep as many bits. */
async function rounding(
  context: InspectionContext,
  bits: number,
  levels: readonly SumLevel[] = [],
): Promise<InspectionFinding[]> {
  const { measures, known } = context;
  if (known.sums?.atLeast === true || known.sums?.words === true) return [];
  const alike = levels.filter((level) => level.bits === bits);
  // If the sum has only three places, one entry must have all bits of the sum. The first sums have more places.
  const isNarrow = (measures.operandBits ?? 0) < bits;
  if (measures.accumulatorBitsMost !== undefined && isNarrow && known.sums?.bits !== bits) return [];
  const about = ['accumulator-rounding', 'How are sums rounded?'] as const;
  if (alike.length === 0 || isNarrow) {
    const found = await roundingAt(context, bits, true);
    if (found !== 'other') measures.rounding = found;
    return [roundingFinding(...about, found, bits)];
  }
  const sorted = [...alike].sort((x, y) => x.terms - y.terms);
  const ends = [sorted[0], sorted[sorted.length - 1]];
  const told = await Promise.all(ends.map(({ places }) => roundingIn(context, bits, places)));
  const last = await lastRounding(context, bits);
  const all = [...new Set([...told, ...(last === undefined ? [] : [last])])];
  const [found] = all;
  if (all.length === 1) {
    if (found !== 'other') measures.rounding = found;
    return [roundingFinding(...about, found, bits)];
  }
  measures.rounding = 'other';
  const words = [
    ...ends.map(({ terms }, at) => `${told[at]} in sums of ${terms} terms`),
    ...(last === undefined ? [] : [`${last} in the last one`]),
  ];
  const answer = `not all alike: ${[...new Set(words)].join(', ')}`;
  return [{ ...roundingFinding(...about, found, bits), answer, value: null }];
}

/** Finds the rounding of the sum in which the first two of some places meet, before the third. */
function roundingIn(
  context: InspectionContext,
  bits: number,
  places: readonly number[],
): Promise<FoundRounding> {
  const k = context.known.tree?.k ?? 0;
  const put = (parts: readonly (readonly DotTerm[])[]) =>
    makeSparseDot(
      k,
      parts.flatMap(([term], at) => (term === undefined ? [] : [[places[at], term] as const])),
    );
  return roundingAt(context, bits, true, put, k);
}

/** Finds the rounding of the last sum of a tree; undefined where the result does not keep its bits. */
async function lastRounding(context: InspectionContext, bits: number): Promise<FoundRounding | undefined> {
  const { known, measures } = context;
  const { k = 0, tree = 0 } = known.tree ?? {};
  if (typeof tree === 'number' || measures.storedBits !== bits) return undefined;
  const [x, y] = tree.parts.map(firstOf);
  const put = ([[base], [added]]: readonly (readonly DotTerm[])[]) =>
    makeSparseDot(k, [
      [x, base],
      [y, added],
    ]);
  return roundingAt(context, bits, false, put, k);
}

function sumName(bits: number, atLeast: boolean, words: boolean): string {
  if (atLeast) return bits > 100 ? ', exact as far as tested' : '';
  if (words)
    return `, in two words: pairs of ${bits > 90 ? 'binary64' : 'binary32'}, or a sum beside what it lost`;
  const names: Readonly<Record<number, string>> = {
    8: 'bf16',
    11: 'f16',
    24: 'binary32',
    53: 'binary64',
    64: 'x87',
  };
  return names[bits] === undefined ? '' : `, as ${names[bits]} has`;
}
