import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Compared, compare, keyOf } from './compare.ts';
import { formatNames } from './formats.ts';
import { type Sampled, sampleOf } from './sample.ts';
import { readIndex, readWords, type Section, type Stored } from './sections.ts';
import { libraryTable, unitTable } from './tables.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The file that takes the tables. */
    tables: { type: 'string' },
    /** The file that takes some results of every section, for the tests. */
    sample: { type: 'string' },
  },
});

const nameOf = (section: Section) =>
  section.part === 'units'
    ? `${section.source}, ${section.steps} steps, ${section.kind}`
    : `${section.source} of ${section.format}, ${section.rows}×${section.rows}×${section.k}, ${section.kind}`;

function tell({ section, unit, slice, different, first }: Compared) {
  console.log(
    `${nameOf(section)}: ${different} of ${section.count} are not those of ${unit}${slice ? ` in slices of ${slice}` : ''}`,
  );
  for (const { at, found, model } of first) console.log(`  result ${at}: ${found}, the model gives ${model}`);
}

const [folder] = positionals;
if (folder === undefined) {
  console.error('Name the folder that collect.py wrote: npm run units -- folder');
  process.exit(2);
}
const { info, sections } = readIndex(folder);
const known = new Map<string, Compared>();

/** What has the same operands, words and model as something before needs no second look. */
function comparedOnce(section: Stored, words: Uint32Array): Compared {
  const key = keyOf(section);
  const before = known.get(key);
  if (before !== undefined) return { ...before, section };
  const found = compare(section, words);
  known.set(key, found);
  return found;
}

const compared: Compared[] = [];
const samples: Sampled[] = [];
for (const format of formatNames) {
  const words = readWords(folder, format);
  const ofFormat = sections
    .filter((section) => section.format === format)
    .map((section) => comparedOnce(section, words));
  for (const of of ofFormat) if (of.different > 0) tell(of);
  compared.push(...ofFormat);
  if (values.sample !== undefined) samples.push(...sampleOf(ofFormat, words));
}
const tables = [unitTable(compared), libraryTable(compared)].join('\n\n');
console.log(tables);
if (values.tables !== undefined) writeFileSync(values.tables, `${tables}\n`);
if (values.sample !== undefined)
  writeFileSync(values.sample, `${JSON.stringify({ ...info, sections: samples })}\n`);
process.exitCode = compared.some(({ different }) => different > 0) ? 1 : 0;
