import { eachStored, extentsOf } from '../../matrix/gemm.ts';
import type { LeafLayout } from '../../plan/layout.ts';
import type { Operand } from '../../precision/coding/coding.ts';
import { TRAP } from '../../precision/entries.ts';
import type { CodedFormat } from '../../precision/format.ts';
import {
  codedFactorWords,
  type DeviceCodedMatrix,
  FACTOR_GUARD,
  roomOf,
  storeCode,
  wordsOfCodes,
} from '../wgsl/codes/coded-words.ts';
import type { EpilogueShader } from '../wgsl/epilogue-shader.ts';
import { type DeviceJob, isLaid } from './device-job.ts';
import { countChanged, type GuardedRange, READ_BACK, type StoredMatrices } from './stored.ts';
import { countMemoryEntries } from './stored-gemm.ts';

/** Returns the same ranges, but with coded operands as bit patterns between traps, and their factors in ranges of their own. */
export function withCodes(stored: StoredMatrices, job: DeviceJob): StoredMatrices {
  const { codes = {} } = job;
  const [a, b] = [codes.a && rangesFor('a', codes.a, job), codes.b && rangesFor('b', codes.b, job)];
  const own = {
    ...(a && { A: a.elements, SA: a.factors }),
    ...(b && { B: b.elements, SB: b.factors }),
  };
  return { ...stored, ranges: { ...stored.ranges, ...own } };
}

/** Returns the same ranges, and one with the numbers of an epilogue. */
export const withNumbers = (stored: StoredMatrices, { words }: EpilogueShader): StoredMatrices => ({
  ...stored,
  ranges: {
    ...stored.ranges,
    E: holding(words.length, TRAP, words.length <= READ_BACK, (to) => to.set(words)),
  },
});

/** The layout of an operand's elements: the room for them, and the place of each in a dense stack and in memory. */
interface Lying {
  readonly room: number;
  readonly ld: number;
  readonly each: (visit: (dense: number, stored: number) => void) => void;
}

function rangesFor(
  of: Operand,
  coded: DeviceCodedMatrix,
  job: DeviceJob,
): Record<'elements' | 'factors', GuardedRange> {
  const { element } = coded.coding;
  const extent = extentsOf(job.gemm ?? job.plan.shape)[of];
  const lying = lyingOf(of, job);
  const words = wordsOfCodes(lying.room, element);
  const factors = codedFactorWords(coded, of, extent, lying.ld);
  const isRead = words <= READ_BACK;
  return {
    elements: holding(words, trapOf(element), isRead, (to) =>
      storePatterns(coded, lying, trapOf(element), to),
    ),
    factors: holding(factors.length, FACTOR_GUARD, isRead, (to) => to.set(factors)),
  };
}

/** Returns a range of words that a product must not change. */
function holding(
  words: number,
  guard: number,
  isRead: boolean,
  before: (to: Uint32Array) => void,
): GuardedRange {
  const changed = (after: Uint32Array): number => {
    const expected = new Uint32Array(after.length);
    before(expected);
    return countChanged(1, expected, after);
  };
  return { bytes: 4 * words, words: 1, guard, isRead, before, changed };
}

function lyingOf(of: Operand, job: DeviceJob): Lying {
  const name = of === 'a' ? 'A' : 'B';
  if (isLaid(job)) {
    const { gemm } = job;
    const each: Lying['each'] = (visit) => eachStored(gemm[of], extentsOf(gemm)[of], gemm.batch, visit);
    return { room: countMemoryEntries(job, name), ld: 1, each };
  }
  const { rows, cols, ld, size } = job.plan.layouts[name] as LeafLayout;
  const each: Lying['each'] = (visit) => {
    for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) visit(i * cols + j, i * ld + j);
  };
  return { room: size, ld, each };
}

/** Writes the patterns of elements at their places, and traps everywhere else. */
function storePatterns(
  { coding, elements }: DeviceCodedMatrix,
  { each }: Lying,
  trap: number,
  to: Uint32Array,
): void {
  const { element } = coding;
  const room = roomOf(element);
  const perWord = 32 / room;
  to.fill(trap);
  each((dense, stored) => {
    const at = Math.floor(stored / perWord);
    to[at] &= ~((2 ** room - 1) << (room * (stored % perWord)));
    storeCode(to, stored, element.code.encode(elements.data[dense]), room);
  });
}

/** Returns a word of patterns that are NaN, or the largest number if the format has no NaN. */
function trapOf(element: CodedFormat): number {
  const { code, holds, maxFinite } = element;
  const trap = code.encode(holds.nan ? Number.NaN : maxFinite);
  const room = roomOf(element);
  return Array.from({ length: 32 / room }, (_, at) => trap * 2 ** (room * at)).reduce(
    (sum, each) => sum + each,
    0,
  );
}
