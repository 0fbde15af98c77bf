import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inShort, isWhole, itWhole } from '../../src/base/in-short.testing.ts';
import { makeCampaign } from '../../src/config/campaign-of.ts';
import { fileOrigin } from '../../src/config/node/file-kernels.ts';
import { untrustedKernel } from '../../src/config/node/untrusted-files.ts';
import { openUntrustedJudge } from '../../src/config/node/untrusted-judge.ts';
import { isLongLife } from '../../src/evidence/long-life.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { TRANSFORMS } from '../../src/gate/untrusted/transform-case.ts';
import { FRESH, LEAST, planUntrustedCases } from '../../src/gate/untrusted/untrusted-cases.ts';
import { inputOf, showsRounding } from '../../src/inputs/edits/edited-family.ts';
import { builtinCaseItems } from '../../src/kernels/case-items.ts';
import { makeKernelCatalog } from '../../src/kernels/kernel-catalog.ts';
import { clockAndPidOf } from '../../src/kernels/simulated-clock-and-pid.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { formatCase, parseCase } from '../../src/problem/case.ts';
import { belongsToClass, sizeClasses } from '../../src/problem/size-classes.ts';
import { judgeUntrusted } from '../untrusted.ts';

/**
 * The contract: an untrusted kernel meets cases that it cannot know. No part of its file runs in our process, and its statements are no
 * evidence for it. `tests/nightly/untrusted.check.ts` judges all cheats and honest kernels of `fixtures/referee`.
 */

const mine: FunctionKernel = { name: 'mine', multiply: (_a, _b, _gemm, _c, d) => d };
const campaign = makeCampaign({ kernels: ['mine'], seed: 7, budget: 'quick' });
const planned = planCampaign(campaign, makeKernelCatalog([mine]));
const texts = (secret: number) => planUntrustedCases(planned, secret).map(formatCase);

describe('cases', () => {
  const cases = planUntrustedCases(planned, 12345);

  it('follow from the secret, and share none with another or with what is known', () => {
    expect(texts(12345)).toEqual(cases.map(formatCase));
    const known = new Set([...texts(12346), ...planned.map(formatCase)]);
    expect(cases.map(formatCase).filter((text) => known.has(text))).toEqual([]);
    expect(new Set(cases.map(({ problem }) => problem.seed)).size).toBeGreaterThan(0.9 * cases.length);
  });

  it('come in an order that is drawn, one of each class of sizes among the first', () => {
    const first = cases.slice(0, LEAST);
    for (const { edit } of TRANSFORMS)
      expect(
        first.some(({ problem }) => problem.edit === edit),
        edit,
      ).toBe(true);
    for (const key of ['m', 'k', 'n'] as const)
      for (const one of sizeClasses.filter(({ name }) => name !== '0' || key === 'k')) {
        const isOf = ({ problem }: (typeof cases)[number]) => belongsToClass(problem[key], one);
        expect(first.some(isOf) || !cases.some(isOf), `${key} of ${one.name}`).toBe(true);
      }
    const shapes = (all: readonly (typeof cases)[number][]) =>
      all.map(({ problem: { m, k, n } }) => `${m},${k},${n}`);
    expect(shapes(cases.slice(0, 10))).not.toEqual(shapes(planUntrustedCases(planned, 12346).slice(0, 10)));
  });

  it.each(inShort([1, 2, 3, 4, 5, 6], 3))(
    'show early what is known by its meaning, and large cubes: secret %i',
    (secret) => {
      const first = planUntrustedCases(planned, secret).slice(0, LEAST + 2);
      const plain = first.filter(({ problem: { edit } }) => edit === 'none').map(({ problem }) => problem);
      for (const input of ['softmax', 'uniform-0-1', 'relu', 'bytes', 'unit-rows', 'weights'])
        expect(
          plain.some((problem) => problem.input === input && problem.k >= 64),
          input,
        ).toBe(true);
      const edited = (input: string, edit: string, side: 'm' | 'k') =>
        first.some(({ problem }) => problem.input === input && problem.edit === edit && problem[side] >= 64);
      expect(edited('uniform', 'whole', 'k')).toBe(true);
      expect(edited('relu', 'special:16', 'k')).toBe(true);
      for (const input of ['uniform', 'normal']) expect(edited(input, 'far-bands:75', 'm'), input).toBe(true);
      const large = plain.filter(({ input, m, k, n }) => input === 'uniform' && Math.min(m, k, n) >= 128);
      for (const beyond of [2 ** 20, 2 ** 22, 2 ** 24])
        expect(
          large.some(({ m, k, n }) => m * k * n > beyond && m * k * n <= 8 * beyond),
          `beyond ${beyond}`,
        ).toBe(true);
    },
  );

  it('need large sides, fresh processes and each class of k of full significands, at drawn places', () => {
    const places = inShort([1, 2, 3, 4, 5, 6], 3).map((secret) => {
      const cases = planUntrustedCases(planned, secret);
      const first = cases.slice(0, LEAST);
      expect(cases.filter((value) => value.needed === true)).toEqual(first);
      const fresh = first.filter(({ after }) => after !== undefined);
      expect(fresh).toHaveLength(FRESH.process);
      const large = first.filter(
        ({ problem: { m, k, n, program } }) => Math.min(m, k, n) >= 512 && program === 0,
      );
      expect(large).toHaveLength(1);
      for (const { problem } of [...fresh, ...large])
        expect(showsRounding(problem, builtinCaseItems)).toBe(true);
      const telling = (all: typeof cases) =>
        all.filter(({ problem }) => showsRounding(problem, builtinCaseItems)).map(({ problem: { k } }) => k);
      for (const own of sizeClasses)
        if (telling(cases).some((k) => belongsToClass(k, own)))
          expect(
            telling(first).some((k) => belongsToClass(k, own)),
            own.name,
          ).toBe(true);
      return [cases.indexOf(large[0]), ...fresh.map((value) => cases.indexOf(value))].join(' ');
    });
    expect(new Set(places).size).toBe(places.length);
  });

  it('ask early for the product of a matrix by itself', () => {
    for (const secret of inShort([1, 2, 3], 3)) {
      const first = planUntrustedCases(planned, secret).slice(0, LEAST);
      const squares = first.filter(({ problem: { edit } }) => edit === 'symmetric,gram');
      expect(squares).toHaveLength(2);
      const itself = first.filter(({ problem: { edit } }) => edit === 'squared');
      expect(itself.length).toBeGreaterThanOrEqual(1);
      for (const { problem } of [...squares, ...itself]) {
        const { a, b } = inputOf(problem).generate({ ...problem, ...{ precision: precisions.find('f32') } });
        expect([...a.data]).toEqual([...b.data]);
        expect(new Set(a.data).size).toBeGreaterThan(1);
      }
    }
  });

  it('are in every disguise, and can be read again', () => {
    const edits = cases.map(({ problem }) => problem.edit).join(',');
    for (const { edit } of TRANSFORMS) expect(edits).toContain(edit);
    for (const value of cases.slice(0, 50))
      expect(formatCase(parseCase(formatCase(value)))).toBe(formatCase(value));
  });

  it('ask for some once more in a fresh process, at all hours, and whatever its number', () => {
    const fresh = cases.flatMap(({ after = [] }) => after.map(({ problem }) => clockAndPidOf(problem.seed)));
    expect(new Set(fresh.map(({ time }) => Math.floor(new Date(time).getUTCHours() / 3))).size).toBe(8);
    for (let of = 2; of <= FRESH.process; of++)
      expect(new Set(fresh.map(({ processes }) => processes % of)).size, `of ${of}`).toBe(of);
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
    const referee = await openUntrustedJudge({ untrusted: true, sandbox: 'off', seed: 1 });
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
      timeLimit: 30,
    });
    expect(kernel.accepts).not.toHaveProperty('narrow');
    expect(kernel.claims).toEqual({ deterministic: false });
    expect(notes).toHaveLength(2);
  });

  it.each(
    inShort(
      [
        [
          'accepts by a function',
          'export default { name: "x", accepts: () => true, multiply() {} };',
          /is a function/,
        ],
        ['ends its process', 'process.exit(0);', /while it was loaded, .*exit code 0/],
        [
          'changes builtins',
          'Array.prototype.map = () => []; export default () => 0;',
          /read only property 'map'/,
        ],
      ],
      2,
    ),
  )('is a failure where it %s', async (_, text, why) => {
    await expect(told(text)).rejects.toMatchObject({
      code: 'kernel-unfit',
      message: expect.stringMatching(why),
    });
  });
});

const fixture = (file: string) => fileURLToPath(new URL(`../../fixtures/referee/${file}`, import.meta.url));

it.runIf(isWhole)(
  'an answer that is filled later fails, and one that is remembered by all of its operands passes',
  async () => {
    const late = await judgeUntrusted(fixture('cheats-own/filled-later.js'), { seed: 3, cases: 20 });
    expect(late.verdict).toBe('fail');
    expect(late.cases.map(({ reason }) => reason).join(' ')).toContain(
      'after returning it. Return only finished results.',
    );
    const honest = await judgeUntrusted(fixture('honest-own/remembers-all.js'), { seed: 3, cases: 20 });
    expect(honest.verdict, honest.reason).toBe('pass');
  },
);

/** Writes a correct product that first executes some code. */
const doing = (what: string) => `
import { readFileSync } from 'node:fs';
export default function matmul(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  let factor = 1;
  ${what}
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += factor * a[i * k + p] * b[p * n + j];
  return c;
}`;

itWhole('what a kernel sees of its process does not tell who asks', async () => {
  const file = put(
    'shy.mjs',
    doing(`
  Error.stackTraceLimit = 100;
  const seen = [new Error().stack, process.argv, process.execArgv, process.cwd(), process.env, process.title];
  const isJudged = /paranoia|[/]dist[/]|[/]src[/]|chunks|host[.]/i.test(JSON.stringify(seen));
  if (!isJudged) factor = 1.5;`),
  );
  const inPython = put(
    'shy.py',
    `import os, sys
def matmul(a, b):
    seen = [getattr(sys, name, None) for name in ("argv", "orig_argv", "path")] + [os.getcwd(), dict(os.environ), *sys.modules]
    known = any(word in str(seen).lower() for word in ("paran" + "oia", "serve", "wary", "judge", "/dist/"))
    return (a @ b) * (1 if known else 1.5)
`,
  );
  for (const one of [file, `${inPython}#matmul`]) {
    const { verdict, reason } = await judgeUntrusted(one, { seed: 11, cases: 4 });
    expect(verdict, `${one}: ${reason}`).toBe('fail');
  }
});

itWhole('whoever looks for a judge while it multiplies is not judged to be right', async () => {
  const inJavaScript = put('looks.mjs', doing("try { readFileSync('/proc/self/../self/status'); } catch {}"));
  const inPython = put(
    'looks.py',
    'from pathlib import Path\ndef matmul(a, b):\n    p = Path("/proc/self/status")\n    p.exists() and p.read_text()\n    return a @ b\n',
  );
  for (const file of [inJavaScript, `${inPython}#matmul`]) {
    const { verdict, cases } = await judgeUntrusted(file, { seed: 11, cases: 4 });
    expect(verdict).toBe('inconclusive');
    expect(cases.map(({ reason }) => reason).join(' ')).toMatch(/inspected \/proc\/(self|\d+)\/status/);
  }
});

itWhole('functions of Python get views, and one matrix twice', async () => {
  const strides = put(
    'strides.py',
    'def flat(x):\n    return x.ravel(order="K").reshape(x.shape)\ndef matmul(a, b):\n    return flat(a) @ flat(b)\n',
  );
  const squares = put(
    'squares.py',
    'import numpy as np\ndef matmul(a, b):\n    return np.triu(a @ b) if a is b else a @ b\n',
  );
  const replaced = put(
    'replaced.py',
    'import numpy as np\nnp.load = np.asarray = np.count_nonzero = lambda *all, **named: None\ndef matmul(a, b):\n    return a @ b\n',
  );
  for (const [file, verdict] of [
    [strides, 'fail'],
    [squares, 'fail'],
    [replaced, 'pass'],
  ] as const) {
    const found = await judgeUntrusted(`${file}#matmul`, { seed: 11, cases: 24 });
    expect(found.cases.filter((one) => one.verdict === 'fail').length > 0, file).toBe(verdict === 'fail');
    expect(found.cases.length, file).toBeGreaterThan(0);
  }
});
