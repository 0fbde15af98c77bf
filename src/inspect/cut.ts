import type { SumPartition } from '../precision/sums.ts';
import { partsIn } from '../precision/sums.ts';
import type { InspectionFinding } from './inspection.ts';
import type { InspectionContext } from './question.ts';
import { createMeetingFinder, scaleFor } from './swamping.ts';

/** The meeting sizes of neighboring terms: for each term, the number of terms under the sum at which it meets the next. */
interface AtLength {
  readonly k: number;
  readonly meets: readonly number[];
}

/** Terms of a part. Each tested length has a few more terms than parts of this size, so that tiles of this size, or of half, show. */
const TERMS = [4, 16, 64, 128];
const LONGEST = 1100;
/** The largest tile size that these lengths can identify. */
const LARGEST_TILE = 256;
const CUTS: readonly SumPartition[] = [
  'rest-last',
  ...Array.from({ length: LARGEST_TILE - 1 }, (_, at) => ({ tile: at + 2 })),
];

/** Finds how k is cut into parts, for sums that were found to be split. The number of parts divides none of the tested lengths. */
export async function cutOfParts(context: InspectionContext): Promise<InspectionFinding[]> {
  const { session, measures, quick } = context;
  const { orders = [], order } = measures;
  const parts = Math.max(0, ...orders.map((one) => (one.order === 'split-k' ? (one.parts ?? 0) : 0)));
  if (quick || order !== 'split-k' || parts < 2 || session.stride > 1) return [];
  const lengths: AtLength[] = [];
  for (const k of TERMS.map((each) => parts * (each + 1) - 1)) {
    const isTaken = k <= LONGEST && !context.stop() && session.taken(k) === k;
    const scale = isTaken ? await scaleFor(context, k) : undefined;
    if (scale === undefined) continue;
    const pairs = Array.from({ length: k - 1 }, (_, at) => [at, at + 1] as const);
    lengths.push({ k, meets: await createMeetingFinder(context, k, scale)(pairs) });
  }
  if (lengths.length === 0) return [];
  const cut = cutThatFits(lengths, parts);
  if (cut !== undefined) measures.split = { parts, cut };
  return [findingOf(lengths, parts, cut)];
}

/** Returns `even` where no part is longer than an even cut allows; else the cut into the smallest tiles that gives exactly these parts. */
function cutThatFits(lengths: readonly AtLength[], parts: number): SumPartition | undefined {
  if (lengths.every(({ k, meets }) => isEven(k, meets, parts))) return 'even';
  const fitting = CUTS.filter((cut) => lengths.every(({ k, meets }) => isCutSo(k, meets, parts, cut)));
  // Parts that are added one after the other also fit larger parts.
  const [least, ...others] = fitting;
  const isAlone = others.every((one) => isMultiple(one, least));
  return isAlone ? least : undefined;
}

const isMultiple = (one: SumPartition, of: SumPartition): boolean =>
  typeof one === 'object' && typeof of === 'object' && one.tile % of.tile === 0;

/** True if the terms lie under as many sums as there are parts, and no sum has more terms than an even part. */
function isEven(k: number, meets: readonly number[], parts: number): boolean {
  const { largest, count } = partsIn(k, { parts, cut: 'even' });
  return meets.filter((size) => size > largest).length < count;
}

/** True if neighbors within a part meet inside it, and neighbors of two parts meet above both. */
function isCutSo(k: number, meets: readonly number[], parts: number, cut: SumPartition): boolean {
  const { each, count, largest } = partsIn(k, { parts, cut });
  const partOf = (term: number) => Math.min(count - 1, Math.floor(term / each));
  return meets.every((size, term) =>
    partOf(term) === partOf(term + 1) ? size <= (partOf(term) === count - 1 ? largest : each) : size > each,
  );
}

function findingOf(
  lengths: readonly AtLength[],
  parts: number,
  cut: SumPartition | undefined,
): InspectionFinding {
  const ways = {
    even: 'none of more than k/parts terms, rounded up',
    'rest-last': 'the last with the rest of k',
  };
  const words =
    cut === undefined ? undefined : typeof cut === 'string' ? ways[cut] : `whole tiles of ${cut.tile} terms`;
  const asked = lengths.map(({ k }) => k).join(', ');
  return {
    id: 'cut',
    question: 'How is k cut into parts?',
    answer: words === undefined ? 'cannot be told' : `${parts} parts, ${words}; seen at k = ${asked}`,
    value: cut === undefined ? null : typeof cut === 'string' ? cut : `tile ${cut.tile}`,
    confidence: cut === undefined ? 'unknown' : 'measured',
    evidence: `Where each of k terms meets the next, for k = ${asked}, which ${parts} does not divide${words === undefined ? ': not explained by even parts, tiles of 2 to 256 terms or a rest in the last part' : ''}.`,
  };
}
