import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { campaignOf } from '../../src/config/campaign-of.ts';
import { fileOrigin } from '../../src/config/node/file-kernels.ts';
import { type Referee, refereeOf } from '../../src/config/node/referee.ts';
import { untrustedKernel } from '../../src/config/node/untrusted-files.ts';
import { isLongLife } from '../../src/evidence/long-life.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { DISGUISES } from '../../src/gate/referee/disguise.ts';
import { refereeCases } from '../../src/gate/referee/referee-cases.ts';
import { catalogueOf } from '../../src/kernels/catalogue.ts';
import { surroundingsOf } from '../../src/kernels/surroundings.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { formatCase, parseCase } from '../../src/problem/case.ts';
import { belongs, sizeClasses } from '../../src/problem/size-classes.ts';
import { refereed } from '../referee.ts';

/**
 * The contract: a kernel that nobody trusts meets cases that it cannot know, nothing of its file runs in our process, and what it
 * says is no evidence for it. `integration/referee.check.ts` judges all cheats and honest kernels of `fixtures/referee`.
 */

const mine: FunctionKernel = { name: 'mine', multiply: (_a, _b, _gemm, _c, d) => d };
const campaign = campaignOf({ kernels: ['mine'], seed: 7, budget: 'quick' });
const planned = planCampaign(campaign, catalogueOf([mine]));
const texts = (secret: number) => refereeCases(planned, secret).map(formatCase);

describe('cases', () => {
  const cases = refereeCases(planned, 12345);

  it('follow from the secret, and share none with another or with what is known', () => {
    expect(texts(12345)).toEqual(cases.map(formatCase));
    const known = new Set([...texts(12346), ...planned.map(formatCase)]);
    expect(cases.map(formatCase).filter((text) => known.has(text))).toEqual([]);
    expect(new Set(cases.map(({ problem }) => problem.seed)).size).toBeGreaterThan(0.9 * cases.length);
  });

  it('come in an order that is drawn, one of each class of sizes among the first', () => {
    const first = cases.slice(0, 70);
    for (const { edit } of DISGUISES)
      expect(
        first.some(({ problem }) => problem.edit === edit),
        edit,
      ).toBe(true);
    for (const key of ['m', 'k', 'n'] as const)
      for (const one of sizeClasses.filter(({ name }) => name !== '0' || key === 'k')) {
        const isOf = ({ problem }: (typeof cases)[number]) => belongs(problem[key], one);
        expect(first.some(isOf) || !cases.some(isOf), `${key} of ${one.name}`).toBe(true);
      }
    const shapes = (all: readonly (typeof cases)[number][]) =>
      all.map(({ problem: { m, k, n } }) => `${m},${k},${n}`);
    expect(shapes(cases.slice(0, 10))).not.toEqual(shapes(refereeCases(planned, 12346).slice(0, 10)));
  });

  it('are in every disguise, and can be read again', () => {
    const edits = cases.map(({ problem }) => problem.edit).join(',');
    for (const { edit } of DISGUISES) expect(edits).toContain(edit);
    for (const value of cases.slice(0, 50))
      expect(formatCase(parseCase(formatCase(value)))).toBe(formatCase(value));
  });

  it('ask for some once more in a fresh process, at all hours, and whatever its number', () => {
    const fresh = cases.flatMap(({ after = [] }) => after.map(({ problem }) => surroundingsOf(problem.seed)));
    expect(new Set(fresh.map(({ time }) => Math.floor(new Date(time).getUTCHours() / 3))).size).toBe(8);
    expect(new Set(fresh.map(({ processes }) => processes % 8)).size).toBe(8);
  });

  it('hold two long lives, one in the first process', () => {
    const lives = cases.flatMap((value, at) => (isLongLife(value) ? [at] : []));
    const fresh = cases.findIndex(({ after }) => after !== undefined);
    expect(lives).toHaveLength(2);
    expect(lives[0]).toBeGreaterThanOrEqual(15);
    expect(lives[0] + 20).toBeLessThan(fresh);
    expect(lives[1]).toBeGreaterThan(fresh);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'referee-'));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('what is known of a file', () => {
  const told = async (text: string, name = 'told.mjs') => {
    const referee = (await refereeOf({ untrusted: true, sandbox: 'off', seed: '1' })) as Referee;
    return untrustedKernel(fileOrigin(put(name, text), folder, {}), referee);
  };

  it('comes from its own process, and changes nothing that it is judged by', async () => {
    const { kernel, notes } = await told(`
      globalThis.ran = true;
      process.env.RAN = '1';
      export default {
        name: 'anything', precision: 'f16-f32', claims: { algorithm: 'winograd', levels: 9 }, timeLimit: 9999,
        accepts: { sizes: 'm=1..64', narrow: true }, multiply: () => 0,
      };`);
    expect([Reflect.get(globalThis, 'ran'), process.env.RAN]).toEqual([undefined, undefined]);
    expect(kernel).toMatchObject({
      name: 'told.mjs',
      precision: 'f32',
      accepts: { sizes: 'm=1..64' },
      timeLimit: 10,
    });
    expect(kernel.accepts).not.toHaveProperty('narrow');
    expect(kernel.claims).toEqual({ deterministic: false });
    expect(notes).toHaveLength(2);
  });

  it.each([
    [
      'accepts by a function',
      'export default { name: "x", accepts: () => true, multiply() {} };',
      /is a function/,
    ],
    ['ends its process', 'process.exit(0);', /when it was loaded, .*exit code 0/],
    [
      'changes builtins',
      'Array.prototype.map = () => []; export default () => 0;',
      /read only property 'map'/,
    ],
  ])('is a failure where it %s', async (_, text, why) => {
    await expect(told(text)).rejects.toMatchObject({
      code: 'kernel-unfit',
      message: expect.stringMatching(why),
    });
  });
});

const fixture = (file: string) => fileURLToPath(new URL(`../../fixtures/referee/${file}`, import.meta.url));

it('an answer that is filled later fails, and one that is remembered by all of its operands passes', async () => {
  const late = await refereed(fixture('cheats-own/filled-later.js'), { seed: 3, cases: 20 });
  expect(late.verdict).toBe('fail');
  expect(late.cases.map(({ reason }) => reason).join(' ')).toContain('another when it was read again');
  const honest = await refereed(fixture('honest-own/remembers-all.js'), { seed: 3, cases: 20 });
  expect(honest.verdict, honest.reason).toBe('pass');
});
