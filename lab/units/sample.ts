import { blockSizeOf, operandsOfTile } from './blocks.ts';
import { changedUnits } from './changes.ts';
import { keyOf, numberOf, type UnitComparison } from './compare.ts';
import { multiplyByUnit, toType, unitOf } from './models.ts';
import type { IndexedSection, ResultSection } from './sections.ts';

/** A sample of a section's results: places and words, in hexadecimal digits. */
export type SectionSample = ResultSection & {
  /** All sources with these results. */
  readonly sources: readonly string[];
  readonly slice?: number;
  readonly results: string;
};

/** The number of results to keep of a unit's section, and of a library's. */
const [OF_UNITS, OF_LIBRARIES] = [20, 4];
/** The number of results to keep for each change of a rule that they reveal. */
const OF_CHANGES = 2;
/** The number of zeros, infinities and NaN to keep of a section. */
const OF_SPECIALS = 3;
/** The number of tiles to search. */
const TILES = 6;

/** Tests for rare sums. */
const specials: readonly ((x: number) => boolean)[] = [
  (x) => x === 0,
  (x) => Math.abs(x) === Number.POSITIVE_INFINITY,
  Number.isNaN,
];

/**
 * Samples the results of every section: those that differ if a rule of its model is changed, and some others. Sources with equal
 * results are named together.
 */
export function sampleOf(compared: readonly UnitComparison[], words: Uint32Array): SectionSample[] {
  const groups = new Map<string, UnitComparison[]>();
  for (const x of compared) groups.set(keyOf(x.section), [...(groups.get(keyOf(x.section)) ?? []), x]);
  return [...groups.values()].map((same) => {
    const [{ section, slice }] = same;
    const { offset, count, ...rest } = section;
    const places = placesOf(section, slice, words);
    const results = places.map((at) => `${at.toString(16)}:${words[offset + at].toString(16)}`).join(' ');
    const sources = [...new Set(same.map(({ section: { source } }) => source))];
    return { ...only(rest), sources, ...(slice === undefined ? {} : { slice }), results };
  });
}

/** The fields that decide a section's operands and model. */
function only(section: ResultSection): ResultSection {
  const { format, kind, source } = section;
  if (section.part === 'units') return { format, part: 'units', source, steps: section.steps, kind };
  return { format, part: 'library', source, rows: section.rows, k: section.k, kind, type: section.type };
}

function placesOf(section: IndexedSection, slice: number | undefined, words: Uint32Array): number[] {
  const { offset, count } = section;
  const size = blockSizeOf(section);
  const most = section.part === 'units' ? OF_UNITS : OF_LIBRARIES;
  const chosen = new Set<number>();
  const told = new Map<string, number>();
  const round = toType(section);
  const unit = unitOf(section);
  for (let tile = 0; tile < Math.min(TILES, count / size) && section.part === 'units'; tile++) {
    const block = operandsOfTile(section, tile);
    const right = multiplyByUnit(unit, block, slice);
    for (const [name, changed] of changedUnits(unit)) {
      const wrong = multiplyByUnit(changed, block, slice);
      for (let at = 0; at < size && chosen.size < most && (told.get(name) ?? 0) < OF_CHANGES; at++) {
        if (Object.is(round(wrong[at]), round(right[at])) || chosen.has(tile * size + at)) continue;
        chosen.add(tile * size + at);
        told.set(name, (told.get(name) ?? 0) + 1);
      }
    }
  }
  for (const isSpecial of specials) {
    const found = (at: number) => isSpecial(numberOf(section, words[offset + at]));
    let kept = 0;
    for (let at = 0; at < count && kept < OF_SPECIALS; at++)
      if (found(at)) {
        chosen.add(at);
        kept++;
      }
  }
  // The rest is spread evenly over the section.
  for (let nth = 0; chosen.size < most; nth++) chosen.add(Math.floor(nth * 0.6180339887 * count) % count);
  return [...chosen].sort((a, b) => a - b);
}
