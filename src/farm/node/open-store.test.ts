import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { folderStore } from './open-store.ts';

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

it('writes a file once, whoever else writes it at the same time', async () => {
  const place = folder();
  const stores = await Promise.all(Array.from({ length: 8 }, () => folderStore(place)));
  const added = await Promise.all(stores.map((store, at) => store.add('a.json.gz', bytes(String(at)))));
  expect(added.filter((isMine) => isMine).length).toBe(1);
  const found = await stores[0].read('a.json.gz');
  expect(Buffer.from(found as Uint8Array).toString()).toBe(String(added.indexOf(true)));
  expect(readdirSync(place)).toEqual(['a.json.gz']);
  expect(await stores[0].read('b.json.gz')).toBeUndefined();
  expect(await stores[0].list('a')).toEqual(['a.json.gz']);
});

it('lists no file that is half-written, and removes what was left long ago', async () => {
  const place = folder();
  writeFileSync(join(place, 'old.tmp'), '');
  writeFileSync(join(place, 'new.tmp'), '');
  utimesSync(join(place, 'old.tmp'), 0, 0);
  const store = await folderStore(place);
  expect(await store.list('')).toEqual([]);
  expect(readdirSync(place)).toEqual(['new.tmp']);
});

it('says what keeps it from being a store', async () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  await expect(folderStore(file)).rejects.toMatchObject({ code: 'store-unusable', exitCode: 2 });
  await expect(folderStore(join(file, 'below'), false)).rejects.toMatchObject({ code: 'store-unusable' });
  const place = folder();
  const store = await folderStore(place);
  rmSync(place, { recursive: true });
  await expect(store.add('a', bytes(''))).rejects.toMatchObject({ code: 'store-unwritable', exitCode: 74 });
  folders.pop();
});
