import { expect, it } from 'vitest';
import { cellsOf } from '../cells.ts';
import { atlasOf } from '../devices.ts';
import type { AtlasEntry } from '../entry.ts';
import { sitePages } from '../node/build.ts';
import { makeTestEntry } from '../run.testing.ts';
import { equalBits } from './kernel.ts';

/** Returns a run on a device, with digests of its first cases: a letter each, `-` for none. @param inputs of operands */
function ran(device: string, digests: string, inputs = 'same'): AtlasEntry {
  const entry = makeTestEntry();
  Object.assign(entry, { hash: device.padEnd(12, '0') });
  Object.assign(entry.adapter, { name: device });
  [...digests].forEach((d, at) => {
    if (d !== '-') Object.assign(entry.kernels[0].cases[at], { digests: { d, operands: inputs } });
  });
  return entry;
}

const grouped = (...entries: AtlasEntry[]) =>
  equalBits(cellsOf(entries)).map(({ groups, ...rest }) => ({
    ...rest,
    groups: groups.map(({ cells, ...about }) => ({
      devices: cells.map(({ place }) => place.device),
      ...about,
    })),
  }));

const [first] = makeTestEntry().kernels[0].cases;

it('groups platforms whose bits agree in every case that they share, and names a case that differs', () => {
  expect(grouped(ran('D', 'xbc'), ran('A', 'abc-'), ran('B', 'ab-d'), ran('C', '--cd'))).toEqual([
    {
      precision: 'f32',
      groups: [
        { devices: ['A', 'B', 'C'], compared: 4 },
        { devices: ['D'], compared: 0, differing: { count: 1, of: 3, example: first.case } },
      ],
    },
  ]);
});

it('compares no products of other operands, and none without a digest', () => {
  expect(grouped(ran('A', 'abc'), ran('B', 'abc', 'other'))).toEqual([]);
  expect(grouped(ran('A', 'abc'), ran('B', '---'))).toEqual([]);
  expect(grouped(ran('A', 'ab-'), ran('B', 'ab-'), ran('C', '--c'))[0].groups).toEqual([
    { devices: ['A', 'B'], compared: 2 },
    { devices: ['C'], compared: 0 },
  ]);
});

it('stands on the page of the kernel, with links that lead there', () => {
  const pages = sitePages(atlasOf([ran('A', 'abc'), ran('B', 'abd'), ran('C', 'abc')]), ({ hash }) => hash);
  const [, page] = Object.entries(pages).find(([name]) => name.startsWith('kernel-')) ?? [];
  expect(page).toContain('id="bits"');
  expect(page).toContain('1 of 3 cases, such as <a href="device-b-');
  const [plain] = Object.entries(sitePages(atlasOf([ran('A', '-')]), ({ hash }) => hash)).filter(([name]) =>
    name.startsWith('kernel-'),
  );
  expect(plain[1]).not.toContain('id="bits"');
});
