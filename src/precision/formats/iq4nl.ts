import type { Code } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { notStored } from '../messages.ts';
import { roundsUp } from './float-code.ts';

/** The parameters of a format given by its numbers. */
interface TableSpec {
  readonly name: string;
  readonly what: string;
  readonly source: string;
  /** Whole numbers in ascending order; the place of each is its pattern. */
  readonly numbers: readonly number[];
}

/**
 * Returns the format of the whole numbers of a table. It need not hold 0, nor the negative or half of a number. For bounds it is a
 * floating-point format whose normal numbers have only the largest exponent, as formats of all whole numbers are. Numbers beyond the
 * ends of the table become the ends.
 */
function tableFormat({ numbers, ...item }: TableSpec): CodedFormat {
  const [maxFinite, largest] = [numbers[numbers.length - 1], Math.max(...numbers.map(Math.abs))];
  const minNormal = 2 ** Math.floor(Math.log2(maxFinite));
  const code = tableCode(item.name, numbers);
  return {
    ...{ ...item, numbers, code, maxFinite, minNormal },
    precision: Math.floor(Math.log2(largest)) + 1,
    holds: { negative: numbers[0] < 0, infinity: false, nan: false },
    integerBits: 0,
    unitRoundoff: unitRoundoffOf(numbers, minNormal),
    minSubnormal: Math.min(...numbers.filter((x) => x > 0)),
    bytes: Math.ceil(code.bits / 8),
    exceptions: false,
    underflow: { kept: 0, flushed: 0 },
    round: (x) => (Number.isNaN(x) ? x : code.decode(code.encode(x))),
  };
}

/** Returns the largest relative error of rounding a number of normal size. */
const unitRoundoffOf = (numbers: readonly number[], minNormal: number): number =>
  Math.max(
    ...numbers.slice(1).map((high, at) => {
      const [middle, half] = [(high + numbers[at]) / 2, (high - numbers[at]) / 2];
      return Math.abs(middle) < minNormal ? 0 : half / Math.abs(middle);
    }),
  );

/** Returns the code of a table. Ties go to the even pattern. Conversions saturate: there is neither infinity nor NaN. */
function tableCode(name: string, numbers: readonly number[]): Code {
  const last = numbers.length - 1;
  return {
    bits: Math.ceil(Math.log2(numbers.length)),
    decode: (pattern) => numbers[pattern],
    encode(x, how = {}) {
      if (Number.isNaN(x)) throw notStored({ what: 'NaN', format: name });
      if (!(x > numbers[0])) return 0;
      if (!(x < numbers[last])) return last;
      const low = numbers.findLastIndex((one) => one <= x);
      const [below, above] = [numbers[low], numbers[low + 1]];
      // Rounding is that of a magnitude, which grows downward from a number below zero.
      const [from, place, step] = below < 0 && x > below ? [above, low + 1, -1] : [below, low, 1];
      const rest = Math.abs(x - from) / (above - below);
      return place + (roundsUp(place, rest, step < 0, how) ? step : 0);
    },
  };
}

export const iq4nl = tableFormat({
  name: 'iq4nl',
  what: '16 whole numbers from −127 to 113, denser near 0, which is none of them',
  source: 'llama.cpp, kvalues_iq4nl of ggml-common.h',
  numbers: [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113],
});
