import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A timeout in milliseconds for busy machines; a client's default is a minute. */
const LONG = 1_800_000;
const folder = mkdtempSync(join(tmpdir(), 'mcp-check-'));
const client = new Client({ name: 'check', version: '1.0.0' });
const kernel = join(folder, 'matmul.mjs');

const product = (terms: string) => `export default (a, b, { m, k, n }) => {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++)
      for (let l = 0; l < ${terms}; l++) c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
};
`;

beforeAll(async () => {
  const args = ['dist/cli/main.js', 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
});

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly verdict: string;
  readonly reason: string;
  readonly run: string;
}

interface Explained {
  readonly explanation: { readonly case: string; readonly group: { readonly says: string } };
}

interface Inspected {
  readonly findings: readonly { readonly id: string; readonly value: unknown }[];
}

/** Calls a tool. @returns its answer, of the type that the test expects */
async function ask<T>(name: string, given: Record<string, unknown>) {
  const { structuredContent, isError, content } = await client.callTool(
    { name, arguments: given },
    { timeout: LONG },
  );
  const said = content.map((one) => (one.type === 'text' ? one.text : '')).join('');
  return { answer: structuredContent as T, isError, said };
}

describe('an agent', () => {
  it('is told what may be called', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['judge', 'explain', 'replay', 'inspect']);
    for (const { description, outputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(outputSchema?.type).toBe('object');
    }
  });

  it('finds what a kernel does wrong, mends it and sees it pass', { timeout: LONG }, async () => {
    writeFileSync(kernel, product('k - (k > 40)'));
    const { answer: judged } = await ask<Answer>('judge', { file: kernel, cases: 74, seed: 5 });
    expect(judged.verdict).toBe('fail');
    const { explanation } = (await ask<Explained>('explain', { run: judged.run })).answer;
    // The rule is about k; its threshold depends on the tested sizes.
    const [, line] = /k [>≥] (\d+)/.exec(explanation.group.says) ?? [];
    expect(Number(line)).toBeGreaterThanOrEqual(16);
    expect(Number(line)).toBeLessThanOrEqual(64);
    const again = () => ask<Answer>('replay', { run: judged.run, case: explanation.case });
    expect(await again()).toMatchObject({ answer: { verdict: 'fail' } });
    writeFileSync(kernel, product('k'));
    expect(await again()).toMatchObject({ answer: { verdict: 'pass' } });
    const { answer: mended } = await ask<Answer>('judge', { file: kernel, cases: 74, seed: 5 });
    expect(mended).toMatchObject({ verdict: 'pass', failures: [], suspicions: [] });
  });

  it('unmasks a kernel', async () => {
    const { answer } = await ask<Inspected>('inspect', { file: kernel, quick: true });
    expect(answer.findings.find(({ id }) => id === 'order')?.value).toBe('sequential');
  });

  it.each([
    ['judge', { file: join(folder, 'none.mjs') }, /No verdict: judge ended with exit code/],
    ['judge', { file: '--sandbox=off' }, /file/],
    ['explain', { run: 'run-99' }, /Unknown run "run-99"/],
    ['explain', { run: 'run-1', case: 'kernel=none' }, /The run has no case kernel=none/],
    ['replay', { run: 'run-1', case: 'rubbish' }, /No verdict: judge ended with exit code/],
  ])('is told in a sentence what is wrong with a call of %s of %j', async (name, given, sentence) => {
    const { isError, said } = await ask<undefined>(name, given);
    expect(isError).toBe(true);
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/\n +at /);
  });
});
