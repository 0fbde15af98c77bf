import type { PartialFormat } from '../precision/claimed-rounding.ts';
import { bf16, type Format, f16, f32, f64, tf32 } from '../precision/format.ts';
import type { InspectionMeasures } from './inspection.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { firstOf, makeSparseDot } from './sum-levels.ts';
import { countTerms, type SummationTree } from './summation-tree.ts';
import { lastHolding, negateTerm, powerOfTwoTerm } from './terms.ts';

/** The orders whose parts are sums of their own. */
const IN_PARTS: readonly string[] = ['split-k', 'blocked', 'interleaved'];

/** Comparison of the sums of parts of k with the sums within them: are they rounded to a narrower format, and in which are they added? */
export const partialSums: InspectionQuestion = {
  id: 'partial-sums',
  question: 'Are sums of parts of k rounded to a narrower format?',
  wrongProducts: 'own',
  async ask(context) {
    const { measures, known } = context;
    const { tree: found, levels } = known;
    const { each, order } = measures.orders?.find(({ k }) => k === found?.k) ?? {};
    if (found === undefined || levels === undefined || each === undefined) return [];
    const parts = order !== undefined && IN_PARTS.includes(order) ? partsOf(found.tree, each) : [];
    const within = levels.filter(({ node }) => parts.some((part) => part !== node && isUnder(node, part)));
    if (parts.length < 2 || within.length === 0) return [];
    const own = Math.min(...within.map(({ bits }) => bits));
    const kept = bitsOf(levels.filter(({ node }) => parts.includes(node)));
    const added = await addedBits(context, found.k, parts, levels, own);
    if (Math.min(kept, added) >= own) return [];
    const format = await nameOf(context, found.k, parts, Math.min(kept, own));
    const addedIn = added < own ? (added === kept ? format : nameByBits(added)?.name) : undefined;
    measures.partialSums = {
      ...{ parts: parts.length, bits: Math.min(kept, own), ownBits: own },
      ...(added < own && { addedBits: added }),
      ...(format && { format: format as PartialFormat }),
      ...(addedIn && { added: addedIn as PartialFormat }),
    };
    return [
      {
        answer: `yes: ${textOf(measures.partialSums)}; seen at k = ${found.k}`,
        value: Math.min(kept, added),
        confidence: measures.deterministic === false ? 'likely' : 'measured',
        evidence: `In the tree of ${found.k} terms, sums within a part keep ${own} bits, sums of a part ${kept}, and sums of parts ${added}.`,
      },
    ];
  },
};

type Found = NonNullable<InspectionMeasures['partialSums']>;

/** Describes the formats of sums of parts. */
export function textOf({ parts, bits, ownBits, addedBits, format, added }: Found): string {
  const named = (name: string | undefined, width: number) => name ?? `${width} bits`;
  const kept =
    bits < ownBits ? `sums of ${parts} parts are kept in ${named(format, bits)}` : `${parts} parts`;
  return `${kept}, and added in ${named(added, addedBits ?? ownBits)}`;
}

/** Returns the subtrees of so many terms at most that are part of longer sums. */
function partsOf(tree: SummationTree, each: number): SummationTree[] {
  if (countTerms(tree) <= each || typeof tree === 'number') return [tree];
  return tree.parts.flatMap((part) => partsOf(part, each));
}

const isUnder = (node: SummationTree, tree: SummationTree): boolean =>
  node === tree || (typeof tree !== 'number' && tree.parts.some((part) => isUnder(node, part)));

type Levels = NonNullable<InspectionContext['known']['levels']>;

const bitsOf = (levels: Levels): number => Math.min(...levels.map(({ bits }) => bits));

/** Returns the bits of sums of parts: of all but the last, or of the last, where there is no other. */
async function addedBits(
  { session }: InspectionContext,
  k: number,
  parts: readonly SummationTree[],
  levels: Levels,
  own: number,
): Promise<number> {
  const outer = levels.filter(({ node }) => parts.some((part) => part !== node && isUnder(part, node)));
  if (outer.length > 0) return bitsOf(outer);
  const [i, j] = parts.map(firstOf);
  const t = await lastHolding(0, own - 1, async (at) => {
    const dot = makeSparseDot(k, [
      [i, powerOfTwoTerm(0)],
      [j, powerOfTwoTerm(-at)],
    ]);
    const [answer] = await session.dots([dot], k);
    return answer === 1 + 2 ** -at;
  });
  // Results that are as narrow hide a wider sum.
  return t + 1 < own && session.result.precision > t + 1 ? t + 1 : own;
}

const NAMED: readonly Format[] = [bf16, f16, f32, f64];
const nameByBits = (bits: number): Format | undefined => NAMED.find(({ precision }) => precision === bits);

/** The exponent of a number that tf32 holds, and f16 does not. */
const BEYOND_F16 = 20;

/** Returns the name of the format of so many bits; tf32 and f16 differ in range. */
async function nameOf(
  { session }: InspectionContext,
  k: number,
  parts: readonly SummationTree[],
  bits: number,
): Promise<string | undefined> {
  const name = nameByBits(bits)?.name;
  if (name !== f16.name) return name;
  const [i, j] = parts.map(firstOf);
  const large = powerOfTwoTerm(BEYOND_F16);
  const [answer] = await session.dots(
    [
      makeSparseDot(k, [
        [i, large],
        [j, negateTerm(large)],
      ]),
    ],
    k,
  );
  return answer === 0 ? tf32.name : name;
}
