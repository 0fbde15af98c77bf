import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inShort } from '../../src/base/in-short.testing.ts';
import { operandsOfEntry, type UnitOperands } from './blocks.ts';
import { changedUnits } from './changes.ts';
import { numberOf } from './compare.ts';
import { multiplyByUnit, toType, unitOf } from './models.ts';
import type { SectionSample } from './sample.ts';

/**
 * The contract: models of matrix units reproduce device results to the last bit. These results are a sample of those in
 * `reports/units`; each rule of a unit decides some of them.
 */
const { sections }: { sections: readonly SectionSample[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/units/nvidia-h200.json', import.meta.url), 'utf8'),
);

interface Result {
  readonly name: string;
  readonly block: UnitOperands;
  readonly slice: number | undefined;
  readonly round: (x: number) => number;
  readonly found: number;
}

const resultsOf = (section: SectionSample): Result[] =>
  section.results.split(' ').map((text) => {
    const [at, word] = text.split(':').map((digits) => Number.parseInt(digits, 16));
    const { part, format, kind, slice } = section;
    return {
      name: `${part} ${format} ${section.sources[0]} ${kind} ${at}`,
      block: operandsOfEntry(section, at),
      slice,
      round: toType(section),
      found: numberOf(section, word),
    };
  });

const byUnit = new Map<string, SectionSample[]>();
for (const section of sections) {
  const { name } = unitOf(section);
  byUnit.set(name, [...(byUnit.get(name) ?? []), section]);
}

describe.each(inShort([...byUnit], 3))('%s', (_, some) => {
  const unit = unitOf(some[0]);
  const results = some.flatMap(resultsOf);

  test('gives what the device gave', () => {
    const given = results.map(({ name, block, slice, round }) => [
      name,
      round(multiplyByUnit(unit, block, slice)[0]),
    ]);
    expect(given).toEqual(results.map(({ name, found }) => [name, found]));
  });

  test.each(changedUnits(unit))('does not with a rule changed: %s', (_, changed) => {
    const differs = ({ block, slice, round, found }: Result) =>
      !Object.is(round(multiplyByUnit(changed, block, slice)[0]), found);
    expect(results.some(differs)).toBe(true);
  });
});
