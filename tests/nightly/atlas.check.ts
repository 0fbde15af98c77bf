import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildAtlas } from '../../src/atlas/node/build.ts';

it('every published entry is what it says, and has its pages', () => {
  const out = mkdtempSync(join(tmpdir(), 'atlas-'));
  const entries = fileURLToPath(new URL('../../reports/atlas/entries', import.meta.url));
  expect(buildAtlas(entries, out).entries).toBeGreaterThan(40);
  rmSync(out, { recursive: true });
});
