import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { inShort } from '../base/in-short.testing.ts';
import { results } from '../run/results.ts';
import { EARLIER_RESULTS_SCHEMA, RESULTS_SCHEMA, resultsRenames } from '../run/results-schema.ts';
import { jsonReport } from './json.ts';
import { readResults } from './read-results.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../reports/${name}/results.json`, import.meta.url), 'utf8');

it('reads a file of the schema before as one of this schema', () => {
  const text = read('clients/tfjs-webgpu');
  const before = JSON.parse(text);
  expect(before.schema).toBe(EARLIER_RESULTS_SCHEMA);
  const after = readResults(text);
  expect(after.schema).toBe(RESULTS_SCHEMA);
  const { mirrored, mirrorEqual } = before.summary;
  expect(after.summary).toMatchObject({ comparedWithModel: mirrored, equalToModel: mirrorEqual });
  expect(after.arithmetic.modeled).toBe(before.arithmetic.modelled);
  for (const [at, { exact, took, waived, mirrorEqual, checked }] of before.cases.entries()) {
    const { normalizedMax, normalizedMean } = after.cases[at].exact ?? {};
    expect([normalizedMax, normalizedMean]).toEqual([exact?.normalisedMax, exact?.normalisedMean]);
    expect(after.cases[at]).toMatchObject(
      JSON.parse(
        JSON.stringify({
          judgingSeconds: took,
          waiver: waived,
          equalsModel: mirrorEqual,
          checkedShare: checked,
        }),
      ),
    );
  }
  expect(after.inspections?.map(({ measures }) => measures)).toEqual(
    before.inspections.map(({ measured }: { measured: unknown }) => measured),
  );
  expect(readResults(jsonReport(after))).toEqual(after);
});

it('reads the published results of earlier versions', () => {
  const published = [
    ...['strassen-2011-nvidia-h200', 'papers/benson-2015', 'papers/dumas-2025', 'papers/mary-2025'],
    ...inShort(['clients/numpy-f16', 'clients/ort-webgpu', 'clients-nvidia-h200/torch-cuda-tf32'], 3),
  ];
  for (const name of published) expect(readResults(read(name), name).schema).toBe(RESULTS_SCHEMA);
});

/** A part of a JSON Schema. */
interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly additionalProperties?: unknown;
}

/** The keys of the objects at a path of the schema. */
function keysAt(path: string): readonly string[] {
  const parts = path === '' ? [] : path.replaceAll('[]', '.[]').split('.');
  const found = parts.reduce<SchemaPart | undefined>(
    (part, name) => (name === '[]' ? part?.items : part?.properties?.[name]),
    z.toJSONSchema(results, { io: 'input' }) as SchemaPart,
  );
  return Object.keys(found?.properties ?? {});
}

it.each(Object.entries(resultsRenames).filter(([path]) => path !== 'arithmetic'))(
  'the schema has the new keys of %j and no old one',
  (path, keys) => {
    const now = keysAt(path.replaceAll('quantisation', 'quantization'));
    expect(now).toEqual(expect.arrayContaining(Object.values(keys)));
    for (const old of Object.keys(keys)) expect(now).not.toContain(old);
  },
);
