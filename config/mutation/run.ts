import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type Candidate, draw, keyOf } from './mutants.ts';
import { type Outcome, writeReport } from './report.ts';
import { scratch, strata } from './scope.ts';

// Tries the sampled mutants and writes `reports/mutation`: npm run mutation. With names of strata it tries theirs alone and
// writes no report: npm run mutation -- exact readers. What an earlier run found is taken over where neither code nor tests changed.

const only = process.argv.slice(2);
const unknown = only.find((name) => !strata.some((one) => one.name === name));
if (unknown !== undefined)
  throw new Error(`No room "${unknown}": ${strata.map(({ name }) => name).join(', ')}`);
const chosen = strata.filter(({ name }) => only.length === 0 || only.includes(name));

/** The results of earlier runs. */
const incremental = `${scratch}/incremental.json`;

/** Stryker's options for the mutants of these places. */
function options(mutate: readonly string[]): object {
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', resolve('config/mutation/only-sampled.mjs')],
    vitest: { configFile: 'config/mutation/vitest.config.ts', related: false },
    checkers: ['only-sampled'],
    coverageAnalysis: 'perTest',
    // What runs while modules load would need every test again, for data that is mostly names and texts.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: incremental,
    tempDirName: `${scratch}/stryker`,
    ignorePatterns: ['/reports', '/dist', '/docs', '/tests/nightly', '/tests/system'],
    disableTypeChecks: false,
    // Stryker would rewrite the project's with a compiler API that TypeScript 7 lacks; Vitest reads none.
    tsconfigFile: 'absent.json',
    // A loaded machine is slow, and a slow mutant is no killed one.
    timeoutMS: 60_000,
    timeoutFactor: 10,
    dryRunTimeoutMinutes: 30,
    concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    cleanTempDir: 'always',
  };
}

const drawn: Candidate[] = [];
const sizes = new Map<string, number>();
for (const stratum of chosen) {
  const { of, drawn: those } = await draw(stratum);
  sizes.set(stratum.name, of);
  drawn.push(...those);
}

mkdirSync(scratch, { recursive: true });
const sample = resolve(scratch, 'sample.json');
writeFileSync(sample, JSON.stringify(drawn.map(({ key }) => key)));
process.env.MUTATION_SAMPLE = sample;
forgetOthers();

/** Forgets what an earlier draw left out: this one may have it. */
function forgetOthers(): void {
  if (!existsSync(incremental)) return;
  const kept = JSON.parse(readFileSync(incremental, 'utf8')) as {
    readonly files: Record<string, { mutants: MutantResult[] }>;
  };
  for (const file of Object.values(kept.files))
    file.mutants = file.mutants.filter(({ status }) => status !== 'CompileError');
  writeFileSync(incremental, JSON.stringify(kept));
}

/** A result's address: results count lines and columns from 1, mutants from 0. */
function keyOfResult(result: MutantResult): string {
  const fromZero = ({ line, column }: { line: number; column: number }) => ({
    line: line - 1,
    column: column - 1,
  });
  const { start, end } = result.location;
  return keyOf({ ...result, location: { start: fromZero(start), end: fromZero(end) } });
}

const results = new Map(
  (await new Stryker(options(drawn.map(({ file, range }) => `${file}:${range}`))).runMutationTest()).map(
    (result) => [keyOfResult(result), result],
  ),
);

const outcomes: Outcome[] = drawn.map((candidate) => {
  const result = results.get(candidate.key);
  if (!result) throw new Error(`Stryker has no result of ${candidate.key}`);
  return { ...candidate, status: result.status, reason: result.statusReason };
});
writeFileSync(`${scratch}/outcomes.json`, JSON.stringify(outcomes, null, 1));

if (only.length === 0) writeReport(outcomes, sizes);
for (const { id, stratum, file, line, column, mutator, status, original, replacement } of outcomes) {
  if (status === 'Killed' || status === 'Ignored') continue;
  const change = `${original.slice(0, 60)} -> ${replacement.slice(0, 60)}`.replaceAll('\n', ' ');
  console.log(`${id} ${stratum} ${status} ${file}:${line}:${column} ${mutator}: ${change}`);
}
console.log(`${outcomes.length} mutants tried`);
