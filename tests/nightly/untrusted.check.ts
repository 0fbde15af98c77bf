import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cheats, honests } from '../../fixtures/referee/index.ts';
import { prepared } from '../../fixtures/referee/prepared.ts';
import { judgeUntrusted } from '../../properties/untrusted.ts';
import { lackOf, lacks } from '../support/needs.ts';

/** All cheats of `fixtures/referee` must fail and all correct kernels must pass. Each gets this many cases and no time limit. */
const [SEED, CASES] = [20261123, 150];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'referee-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['cheats', cheats, 'fail'],
  ['honest kernels', honests, 'pass'],
] as const)('%s', (_, all, verdict) => {
  it.for(all)('$file', async (one, { skip }) => {
    if (one.file.endsWith('.c') && lacks('gcc')) return skip(lackOf('gcc'));
    const judged = await judgeUntrusted(await prepared(one.file, folder), { seed: SEED, cases: CASES });
    expect(judged.verdict, judged.reason).toBe(verdict);
  });
});
