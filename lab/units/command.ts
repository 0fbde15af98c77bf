import { writeFileSync } from 'node:fs';
import { EXIT } from '../../src/base/errors.ts';
import { compareSection, keyOf, type UnitComparison } from './compare.ts';
import { formatNames } from './formats.ts';
import { type SectionSample, sampleOf } from './sample.ts';
import { type IndexedSection, type ResultSection, readIndex, readWords } from './sections.ts';
import { libraryTable, unitTable } from './tables.ts';

/**
 * Compares results of devices with the models of their matrix units, and prints or writes the tables.
 * @param folder the output of `collect.py`
 * @returns the exit code: 1 if a result differs from its model
 */
export function runUnits(
  folder: string,
  { tables, sample }: { readonly tables?: string | undefined; readonly sample?: string | undefined },
): number {
  const { info, sections } = readIndex(folder);
  const [compared, samples]: [UnitComparison[], SectionSample[]] = [[], []];
  const asModeled = comparedOnce();
  for (const format of formatNames) {
    const words = readWords(folder, format);
    const ofFormat = sections
      .filter((section) => section.format === format)
      .map((section) => asModeled(section, words));
    for (const of of ofFormat) if (of.different > 0) tell(of);
    compared.push(...ofFormat);
    if (sample !== undefined) samples.push(...sampleOf(ofFormat, words));
  }
  const text = [unitTable(compared), libraryTable(compared)].join('\n\n');
  console.log(text);
  if (tables !== undefined) writeFileSync(tables, `${text}\n`);
  if (sample !== undefined) writeFileSync(sample, `${JSON.stringify({ ...info, sections: samples })}\n`);
  return compared.some(({ different }) => different > 0) ? EXIT.fail : EXIT.pass;
}

/** A comparison with a cache: sections with the same operands, words and model are compared once. */
function comparedOnce(): (section: IndexedSection, words: Uint32Array) => UnitComparison {
  const known = new Map<string, UnitComparison>();
  return (section, words) => {
    const before = known.get(keyOf(section));
    if (before !== undefined) return { ...before, section };
    const found = compareSection(section, words);
    known.set(keyOf(section), found);
    return found;
  };
}

const nameOf = (section: ResultSection) =>
  section.part === 'units'
    ? `${section.source}, ${section.steps} steps, ${section.kind}`
    : `${section.source} of ${section.format}, ${section.rows}×${section.rows}×${section.k}, ${section.kind}`;

function tell({ section, unit, slice, different, first }: UnitComparison) {
  console.log(
    `${nameOf(section)}: ${different} of ${section.count} results differ from ${unit}${slice ? ` in slices of ${slice}` : ''}`,
  );
  for (const { at, found, model } of first) console.log(`  result ${at}: ${found}, the model gives ${model}`);
}
