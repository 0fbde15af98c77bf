import { blockSizeOf, operandsOfTile, type UnitOperands } from './blocks.ts';
import { multiplyByUnit, slicesOf, toType, unitOf } from './models.ts';
import { floatOf } from './operands.ts';
import type { IndexedSection, ResultSection } from './sections.ts';

/** A result that differs from the model. */
export interface Difference {
  readonly at: number;
  readonly found: number;
  readonly model: number;
}

export interface UnitComparison {
  readonly section: IndexedSection;
  readonly unit: string;
  /** For a library's product: the length of the slices of k. */
  readonly slice?: number;
  readonly results: number;
  readonly different: number;
  /** The number of results that equal the sum in double, rounded to the format of sums. */
  readonly asRounded: number;
  readonly first: readonly Difference[];
}

/** The number that a word of a section represents. */
export const numberOf = ({ format }: ResultSection, word: number): number =>
  format === 'int8' ? word | 0 : floatOf(word);

/** The key of a section; sections with the same operands, words and model share it. */
export const keyOf = (section: IndexedSection): string => {
  const { format, kind, offset, count } = section;
  const product = section.part === 'units' ? [section.steps] : [section.k, section.type];
  return JSON.stringify([format, kind, offset, count, unitOf(section).name, ...product]);
};

/** The number of differences to keep. */
const SHOWN = 3;

/** Compares a section's results with its model. All NaN are equal. */
export function compareSection(section: IndexedSection, words: Uint32Array): UnitComparison {
  const unit = unitOf(section);
  const round = toType(section);
  const size = blockSizeOf(section);
  const slice = section.part === 'library' ? likelySlice(section, words) : undefined;
  const first: Difference[] = [];
  let [different, asRounded] = [0, 0];
  for (let tile = 0; tile * size < section.count; tile++) {
    const block = operandsOfTile(section, tile);
    const model = multiplyByUnit(unit, block, slice);
    const rounded = inDoubles(block);
    for (let entry = 0; entry < size; entry++) {
      const at = tile * size + entry;
      const found = numberOf(section, words[section.offset + at]);
      if (Object.is(found, round(unit.result.round(rounded[entry])))) asRounded++;
      if (Object.is(found, round(model[entry]))) continue;
      different++;
      if (first.length < SHOWN) first.push({ at, found, model: round(model[entry]) });
    }
  }
  return {
    ...{ section, unit: unit.name, results: section.count, different, asRounded, first },
    ...(slice === undefined ? {} : { slice }),
  };
}

/** The slice length that explains the most entries; of equally good ones, the first in `slicesOf`. */
function likelySlice(section: IndexedSection & { readonly part: 'library' }, words: Uint32Array): number {
  const all = operandsOfTile(section, 0);
  const round = toType(section);
  const differing = (slice: number, m: number) =>
    multiplyByUnit(unitOf(section), { ...all, m, a: all.a.subarray(0, m * all.k) }, slice).reduce(
      (of, x, at) => of + (Object.is(round(x), numberOf(section, words[section.offset + at])) ? 0 : 1),
      0,
    );
  // The first rows leave few candidates to try on all rows.
  const few = slicesOf(section.k).map((slice) => ({ slice, different: differing(slice, 8) }));
  const least = Math.min(...few.map(({ different }) => different));
  const likely = few.filter(({ different }) => different === least).map(({ slice }) => slice);
  if (likely.length === 1) return likely[0];
  const differences = likely.map((slice) => differing(slice, all.m));
  return likely[differences.indexOf(Math.min(...differences))];
}

/** A·B + C, summed in double. */
function inDoubles({ m, k, n, a, b, c }: UnitOperands): Float64Array {
  const out = new Float64Array(m * n);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      let sum = c?.[i * n + j] ?? 0;
      for (let p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
      out[i * n + j] = sum;
    }
  return out;
}
