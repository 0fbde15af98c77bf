import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ours } from '../../src/collection/figures.ts';
import { defaultMeasures } from './measure.ts';
import { defaultScaling } from './measure-scaling.ts';
import { collectionMarkdown, collectionPage } from './page.ts';
import { type CollectionReport, countTables, type TableMeasurements, tablesReport } from './report.ts';
import { COLLECTION_SCRIPT, COLLECTION_SCRIPT_HASH } from './script.ts';

const HOSTILE = '</script><img src=x onerror=alert(1)>';

function reportOf(): CollectionReport {
  const spread = { mean: 0.5, low: 0.25, high: 0.75 };
  const common = {
    size: 48,
    shape: { m: 48, k: 48, n: 48 },
    max: 10,
    mean: 1,
    lostAtMost: spread,
    lostInMean: spread,
  };
  const measured = new Map<string, TableMeasurements>(
    ['classical', 'strassen'].map((name) => [
      name,
      { grade: 'C', errors: [1, 2].map((levels) => ({ ...common, levels, input: 'uniform' })) },
    ]),
  );
  const named = ours.map((table) => (table.name === 'strassen' ? { ...table, title: HOSTILE } : table));
  const tables = tablesReport(named, measured);
  const about = { command: HOSTILE, version: '1', createdAt: '2026', options: defaultMeasures };
  return { ...about, scaling: defaultScaling, counts: countTables(named, tables), tables };
}

it('runs its own script alone, and escapes what it is given', () => {
  expect(COLLECTION_SCRIPT_HASH).toBe(createHash('sha256').update(COLLECTION_SCRIPT).digest('base64'));
  const page = collectionPage(reportOf());
  expect(page).toContain(COLLECTION_SCRIPT_HASH);
  expect(page).not.toContain(HOSTILE);
  expect(collectionMarkdown(reportOf())).not.toContain(HOSTILE);
});

it('counts, marks the front, and leaves what was not measured without numbers', () => {
  const report = reportOf();
  expect(report.counts).toMatchObject({
    tables: ours.length,
    inequivalent: 5,
    dyadic: ours.length,
    measured: 2,
  });
  const [classical, strassen, winograd] = report.tables;
  expect(strassen.lost).toMatchObject({ first: 0.5, interval: [0.25, 0.75], perDoubling: 0.25, levels: 2 });
  expect(winograd.lost).toBeUndefined();
  const page = collectionPage(report);
  // Only fast tables can be on the front.
  expect(page.match(/data-front="yes"/g)).toHaveLength(1);
  expect(classical.origin).toBe('classical');
  expect(page).toContain('not measured');
});

it('shows bits with and without scaling, and what an alternative basis takes and loses', () => {
  const ways = {
    classical: 22.5,
    none: 3,
    outside: 21,
    inside: 3,
    'outside-inside': 21.5,
    'inside-outside': 21,
    'repeated-outside-inside': 21.5,
  };
  const level = { mean: 0.5, low: 0.4, high: 0.6 };
  const more = {
    scaling: [{ scaled: 'rows of A', bits: ways, used: 0.031 }],
    bases: { additions: { plain: 18, core: 12, bases: 3 }, plain: [level], sparse: [level] },
  };
  const report = reportOf();
  const markdown = collectionMarkdown({
    ...report,
    tables: report.tables.map((table) => (table.name === 'winograd' ? { ...table, ...more } : table)),
  });
  expect(markdown).toMatch(/\| rows of A \| 22\.5 \| 3\.0 \| 21\.0 \|.*\| 3\.1 % \|/);
  expect(markdown).toMatch(/\| 18 \| 12 \| 3 \|/);
});
