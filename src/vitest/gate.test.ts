import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { strassen } from '../algorithms/strassen.ts';
import { defineKernel, type FunctionKernel } from '../kernels/user-kernel.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { Entries } from '../matrix/operands.ts';
import { tf32 } from '../precision/format.ts';
import './index.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { toBeGrade, toPassGate } from './matchers.ts';

type Entry = (a: Entries, b: Entries, call: Gemm, i: number, j: number) => number;

function kernelOf(name: string, entry: Entry, more: Partial<FunctionKernel> = {}): FunctionKernel {
  return defineKernel<FunctionKernel>({
    name,
    multiply: (a, b, call) =>
      Float32Array.from({ length: call.m * call.n }, (_, e) =>
        entry(a, b, call, Math.floor(e / call.n), e % call.n),
      ),
    ...more,
  });
}

const dot: Entry = (a, b, { k, n }, i, j) => {
  let sum = 0;
  for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[i * k + p] * b[p * n + j]));
  return sum;
};
const honest = kernelOf('honest', dot);
const faults = {
  'with the opposite sign': kernelOf('sign', (...at) => -dot(...at)),
  'operands of 11 bits': kernelOf('tf32', (a, b, ...at) => dot(a.map(tf32.round), b.map(tf32.round), ...at)),
};
/** A few cases. Naming them skips the inspection, which is slower. */
const some = ({ name }: { readonly name: string }) => ({
  case: ['integers', 'uniform'].flatMap((input) =>
    ['m=3;k=4;n=5', 'm=16;k=16;n=16'].map((shape) => `kernel=${name};input=${input};${shape};seed=1`),
  ),
});
const state = { testPath: '/p/gemm.test.ts', currentTestName: 'my gemm', isNot: false };
const messageOf = async (kernel: unknown, options: object, at = state) => {
  const { pass, message } = await toPassGate.call(at, kernel, options);
  return { pass, lines: message().split('\n') };
};

// Makes replays those of a user's project.
beforeAll(() => vi.stubEnv('PARANOIA_VITEST', ''));
afterAll(() => vi.unstubAllEnvs());

describe('toPassGate', () => {
  itWhole('passes an honest kernel', async () => {
    await expect(honest).toPassGate({ sizes: [[3, 4, 5], 16], inputs: ['integers', 'uniform'] });
  });

  it('takes claims of algorithms that its options bring, which no other call knows', async () => {
    const mine = { ...strassen, name: 'mine' };
    const claiming = kernelOf('claiming', dot, { claims: { algorithm: 'mine' } });
    await expect(claiming).toPassGate({ ...some(claiming), algorithms: [mine] });
    const { pass, lines } = await messageOf(claiming, some(claiming));
    expect([pass, lines.join()]).toEqual([
      false,
      expect.stringContaining('Unknown algorithm in claims "mine"'),
    ]);
  });

  it('fails a wrong kernel', async () => {
    const wrong = faults['with the opposite sign'];
    await expect(wrong).not.toPassGate(some(wrong));
  });

  it('shows the cases in columns, the worst entry, and how to replay each', async () => {
    const { pass, lines } = await messageOf(faults['with the opposite sign'], some({ name: 'sign' }));
    expect(pass).toBe(false);
    expect(lines[0]).toMatch(/^4 of 4 cases failed\. On ./);
    expect(lines.slice(2, 5)).toEqual([
      'case               verdict  check            found  allowed',
      'integers 3×4×5     fail     exact          1.85e+7        0',
      'integers 16×16×16  fail     exact          6.99e+6        0',
    ]);
    expect(lines[8]).toBe('Worst entry of integers 3×4×5:');
    expect(lines[10]).toMatch(/^\(\d, \d\) {2}-?\d+ +-?\d+ +\d\.\d\de\+7$/);
    expect(lines).toContain(
      "  replay: toPassGate({ case: 'kernel=sign;levels=0;fringe=pad;tail=mask;input=uniform;m=3;k=4;n=5;seed=1' })",
    );
    expect(lines.at(-1)).toBe("replay: npx vitest run /p/gemm.test.ts -t 'my gemm'");
  });

  itWhole('fails a kernel that is not what it claims, where no case shows it', async () => {
    const fused = { ...honest, claims: { arithmetic: { fma: 'once' as const } } };
    const { pass, lines } = await messageOf(fused, { sizes: [2], inputs: ['integers'] });
    expect(pass).toBe(false);
    expect(lines[0]).toMatch(/^honest is wrong: it claims /);
    expect(lines.at(-1)).toBe("replay: npx vitest run /p/gemm.test.ts -t 'my gemm'");
  });

  it('replays a case', async () => {
    const text = 'kernel=sign;input=uniform;m=3;k=4;n=5;seed=1';
    const { lines } = await messageOf(faults['with the opposite sign'], { case: text });
    expect(lines[0]).toMatch(/^The one case failed\./);
    await expect(honest).toPassGate({ case: ['kernel=honest;m=2;k=2;n=2', 'kernel=honest;m=1;k=1;n=1'] });
  });

  it('says that a gate passed which should not', async () => {
    const { pass, lines } = await messageOf(honest, some(honest), { ...state, isNot: true });
    expect(pass).toBe(true);
    expect(lines[0]).toMatch(/^All 4 cases passed\. On ./);
    expect(lines[1]).toMatch(/^replay: /);
  });

  const refusing = kernelOf('refusing', dot, { accepts: ({ m }) => m < 3 || 'it is too tall' });
  const throwing = kernelOf('throwing', () => {
    throw new Error('no luck');
  });
  it.each<[string, unknown, object, RegExp]>([
    ['nothing that was run', refusing, { sizes: [3] }, /^No case ran/],
    ['no kernel', 7, {}, /^The kernel 7 cannot be used: it is not an object\./],
    [
      'a function',
      dot,
      {},
      /^The kernel given cannot be used: it is a function. Give defineKernel\(\{ name, multiply \}\)\.$/,
    ],
    ['an unknown name', 'tfjs:wsm', {}, /Did you mean "tfjs:wasm"\?/],
    ['an unknown option', honest, { inptus: [] }, /Did you mean "inputs"\?/],
    [
      'a case of another',
      honest,
      { case: 'kernel=strassen:naive;m=1;k=1;n=1' },
      /of strassen:naive, not of honest\.|not of honest;/,
    ],
    ['no case', honest, { case: 'm' }, /"m" has no "="/],
  ])('neither passes nor, under not, fails %s', async (_, kernel, options, message) => {
    const plain = await messageOf(kernel, options);
    expect(plain.pass).toBe(false);
    expect(plain.lines[0]).toMatch(message);
    expect((await messageOf(kernel, options, { ...state, isNot: true })).pass).toBe(true);
  });

  it('fails a kernel that throws, with its reason', async () => {
    const { pass, lines } = await messageOf(throwing, some(throwing));
    expect(pass).toBe(false);
    expect(lines.join('\n')).toContain('throwing threw an error for 3×4×5: no luck.');
  });
});

describe('toBeGrade', () => {
  const options = { sizes: [16] };

  it('passes the grade reached, and those below', async () => {
    await expect(honest).toBeGrade('A', options);
    await expect(honest).toBeGrade('C', options);
    await expect(faults['operands of 11 bits']).not.toBeGrade('C', options);
  });

  it('shows every trial, the worst entry, and how to replay', async () => {
    const { pass, message } = await toBeGrade.call(state, faults['operands of 11 bits'], 'A', options);
    expect(pass).toBe(false);
    const lines = message().split('\n');
    expect(lines[0]).toMatch(/^tf32 reaches no grade; the test names grade A\. On ./);
    expect(lines.slice(2, 4)).toEqual([
      'operands                            n  error / A       / B       / C  grade',
      'uniform                            16        205      55.1      50.5  none',
    ]);
    expect(lines[10]).toBe('tf32: tests 2, 4 and 6 classify it as classical in fixed point.');
    expect(lines[12]).toMatch(/^Worst entry for grade A, .*, 16×16×16:$/);
    expect(lines[13]).toMatch(/entry +found +expected +error +allowed$/);
    expect(lines.at(-1)).toBe("replay: npx vitest run /p/gemm.test.ts -t 'my gemm'");
  });

  it.each<[unknown, string, object, RegExp]>([
    [7, 'A', {}, /^The kernel 7 cannot be used/],
    [honest, 'D', {}, /^Unknown grade "D"\. .*Known: A, B, C\./],
    [honest, 'A', { sizes: [0.5] }, /^A size for grading must be a whole number/],
    ['strasen', 'A', {}, /Did you mean "strassen"\?/],
  ])(
    'neither passes nor, under not, fails what cannot be graded (%#)',
    async (kernel, grade, given, message) => {
      for (const isNot of [false, true]) {
        const answer = await toBeGrade.call({ ...state, isNot }, kernel, grade as never, given);
        expect(answer.pass).toBe(isNot);
        expect(answer.message()).toMatch(message);
      }
    },
  );
});
