import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { atlasOf } from '../devices.ts';
import type { AtlasEntry } from '../entry.ts';
import { ATLAS_SCRIPT, ATLAS_SCRIPT_HASH } from '../html/page.ts';
import { makeTestEntry } from '../run.testing.ts';
import { sitePages } from './build.ts';

const fileOf = ({ hash }: AtlasEntry) => `${hash.slice(0, 12)}.json`;
const pagesOf = (...entries: AtlasEntry[]) => sitePages(atlasOf(entries), fileOf);

/** The entry of the run, with changed names. */
function renamed(change: (entry: AtlasEntry) => void): AtlasEntry {
  const entry = structuredClone(makeTestEntry());
  entry.hash = 'another';
  change(entry);
  return entry;
}

const other = renamed((entry) => {
  entry.adapter.name = 'Another GPU';
  entry.adapter.driver = '2';
});

it('allows its own script alone', () => {
  expect(ATLAS_SCRIPT_HASH).toBe(createHash('sha256').update(ATLAS_SCRIPT).digest('base64'));
  expect(pagesOf(makeTestEntry())['index.html']).toContain(ATLAS_SCRIPT_HASH);
});

/** Targets of the links of pages, as page and fragment. */
const linksIn = (pages: Readonly<Record<string, string>>) =>
  Object.entries(pages).flatMap(([page, text]) =>
    [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => {
      const [file, fragment] = href.split('#');
      return { file: file === '' ? page : file, fragment };
    }),
  );

it('has a page for every device and kernel, and leads nowhere that is not', () => {
  const pages = pagesOf(makeTestEntry(), other);
  expect(Object.keys(pages).map((name) => name.replace(/-[0-9a-f]{8}\.html$/, ''))).toEqual([
    'index.html',
    'device-another-gpu',
    'device-swiftshader-device-subzero',
    'kernel-tfjs-webgpu',
  ]);
  const links = linksIn(pages);
  expect(links.length).toBeGreaterThan(20);
  const lost = links.filter(({ file, fragment }) => {
    if (file.startsWith('entries/')) return false;
    return (
      pages[file] === undefined || (fragment !== undefined && !pages[file].includes(` id="${fragment}"`))
    );
  });
  expect(lost).toEqual([]);
});

itWhole('leads to a cell by the same link whatever else is there, and in whatever order', () => {
  const cellsIn = (pages: Readonly<Record<string, string>>) =>
    linksIn(pages)
      .filter(({ file, fragment }) => file.startsWith('device-swiftshader') && /^tfjs/.test(fragment ?? ''))
      .map(({ file, fragment }) => `${file}#${fragment}`);
  const [link] = cellsIn(pagesOf(makeTestEntry()));
  expect(link).toMatch(/^device-swiftshader-device-subzero-[0-9a-f]{8}\.html#tfjs-webgpu-f32-/);
  expect(new Set(cellsIn(pagesOf(other, makeTestEntry())))).toEqual(new Set([link]));
  expect(pagesOf(other, makeTestEntry())).toEqual(pagesOf(makeTestEntry(), other));
});

const HOSTILE = `<script>alert("x")</script>'&\u202e\u001b[31m`;

it('shows names that are forged as text', () => {
  const entry = renamed((one) => {
    Object.assign(one.adapter, {
      name: HOSTILE,
      driver: HOSTILE,
      dawn: HOSTILE,
      vendor: HOSTILE,
      backend: HOSTILE,
    });
    Object.assign(one.run, { createdAt: HOSTILE, version: HOSTILE, command: HOSTILE, reason: HOSTILE });
    Object.assign(one, { description: { device: HOSTILE }, hash: HOSTILE });
    Object.assign(one.raw, { at: `javascript:alert(1)//${HOSTILE}`, sha256: HOSTILE });
    Object.assign(one.probe?.[0] ?? {}, { question: HOSTILE, answer: HOSTILE, group: HOSTILE });
    one.arithmetic[HOSTILE] = HOSTILE;
    const [record] = one.kernels;
    Object.assign(record, { kernel: HOSTILE, precision: HOSTILE, versions: { [HOSTILE]: HOSTILE } });
    Object.assign(record, {
      contradictions: [HOSTILE],
      findings: [{ id: 'x', question: HOSTILE, answer: HOSTILE, confidence: 'proved' }],
    });
    Object.assign(record.failures?.[0] ?? {}, {
      ...{ says: HOSTILE, looksLike: { cause: HOSTILE, says: HOSTILE } },
      example: { case: HOSTILE, reason: HOSTILE, replay: HOSTILE },
    });
  });
  const pages = pagesOf(entry);
  const all = Object.values(pages).join('');
  expect(all).toContain('&lt;script&gt;alert(&quot;x&quot;)');
  for (const one of ['<script>alert', '\u202e', '\u001b', 'href="javascript']) expect(all).not.toContain(one);
  expect(Object.keys(pages).every((name) => /^[a-z0-9-]+\.html$/.test(name))).toBe(true);
  expect(all.match(/<script>/g)?.length).toBe(Object.keys(pages).length);
});
