import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cheats, honests } from '../fixtures/referee/index.ts';
import { hasCompiler, prepared } from '../fixtures/referee/prepared.ts';
import { refereed } from '../properties/referee.ts';

/** All cheats of `fixtures/referee` are refused, and all honest kernels pass: so many cases each, whatever they take. */
const [SEED, CASES] = [20261123, 150];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'referee-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Without a compiler of C its sources are left out, which the name of the test says. */
const isMade = ({ file }: { readonly file: string }) => !file.endsWith('.c') || hasCompiler();

describe.each([
  ['cheats', cheats, 'fail'],
  ['honest kernels', honests, 'pass'],
] as const)('%s', (_, all, verdict) => {
  it.for(all)('$file', async (one, { skip }) => {
    if (!isMade(one)) return skip('there is no gcc here');
    const judged = await refereed(await prepared(one.file, folder), { seed: SEED, cases: CASES });
    expect(judged.verdict, judged.reason).toBe(verdict);
  });
});
