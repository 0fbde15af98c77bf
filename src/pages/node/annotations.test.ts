import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Results } from '../../run/results.ts';
import { readResults } from '../read-results.ts';
import { startAnnotations } from './annotations.ts';

const example = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const root = join('/', 'work', 'repository');

/** Returns the log of a run in a job, with T for the token of its opening. */
function annotated(results: Results, file = join(root, 'sub', 'paranoia.config.ts'), line?: number): string {
  const { opening = '', closing } = startAnnotations({ GITHUB_WORKSPACE: root });
  const token = /^::stop-commands::(.{36})\n$/.exec(opening)?.[1] as string;
  const text = closing?.(results, () => ({ file, line })) as string;
  return text.replaceAll(token, 'T');
}

const lines = (text: string) => text.split('\n').slice(0, -1);

it('lets commands through again, then has one for each group of failures', () => {
  const [empty, resumed, ...errors] = lines(annotated(example, undefined, 7));
  expect([empty, resumed]).toEqual(['', '::T::']);
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors)
    expect(error).toMatch(
      /^::error file=sub\/paranoia\.config\.ts,line=7,title=[^:,\n]+::smallest, .*%0Areplay%?.*/,
    );
});

it('names no line where none is known, and a path outside as it is', () => {
  expect(annotated(example, join('/', 'etc', 'k.py'))).toMatch(/^::error file=\/etc\/k\.py,title=/m);
});

it('has nothing to say of a run in which nothing fails', () => {
  expect(lines(annotated({ ...example, cases: [], groups: [] }))).toEqual(['', '::T::']);
});

it('lets no text of a kernel be a command', () => {
  const evil = 'x\n::error::forged%0A,file=other.ts:9\r\n##[add-mask]y\u001b[2J';
  const { groups: _, ...rest } = example;
  const at = example.cases.findIndex(({ verdict }) => verdict === 'fail');
  const counts = { failing: 1, judged: 1, passing: 0, apart: 0, checks: { exact: 1 } };
  const group = { kernels: [evil], says: evil, later: false, ...counts, cases: [at] };
  const grouped = { ...example, groups: [{ ...group, example: example.cases[at].case }] };
  const alone = {
    ...rest,
    cases: example.cases.map((one) => ({ ...one, kernel: evil, reason: evil, replay: evil })),
  };
  const disproved = [{ kernel: evil, findings: [], contradictions: [evil] }];
  for (const results of [
    grouped,
    alone,
    { ...rest, cases: [], inspections: disproved } as unknown as Results,
  ])
    for (const line of lines(annotated(results)).slice(2)) {
      expect(line).toMatch(/^::error file=sub\/paranoia\.config\.ts,title=[^:,]*::/);
      expect(line).not.toMatch(/%0A(?!replay: )|%0D/);
      expect(line).not.toContain('\u001b');
    }
});
