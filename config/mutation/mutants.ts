import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Mutant } from '@stryker-mutator/api/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { filesBelow, isProduct } from './files.ts';
import { runAsBuilt, SEED, type Stratum, strata } from './scope.ts';

/** A mutant that Stryker can make, with what tells it from all others. */
export interface Candidate {
  /** Stays the same while the mutated text and its file's name do, wherever in the file it lies. */
  readonly id: string;
  /** The address by which the checker and the results know it: file, place, mutator, replacement. */
  readonly key: string;
  readonly stratum: string;
  readonly file: string;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** Lines from 1, columns from 0. */
  readonly range: string;
  readonly line: number;
  readonly column: number;
}

type Located = Pick<Mutant, 'fileName' | 'location' | 'mutatorName' | 'replacement'>;

/** The address of a mutant; `only-sampled.mjs` makes the same. */
export function keyOf({ fileName, location: { start, end }, mutatorName, replacement }: Located): string {
  const file = fileName.replaceAll('\\', '/');
  return [
    file.slice(file.lastIndexOf('/src/') + 1),
    [start.line, start.column, end.line, end.column].join(':'),
    mutatorName,
    replacement,
  ].join(' ');
}

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex');

/** The text between two places, lines and columns from 0. */
function textBetween(lines: readonly string[], { start, end }: Mutant['location']): string {
  const text = lines.slice(start.line, end.line + 1);
  text[text.length - 1] = text.at(-1)!.slice(0, end.column);
  text[0] = text[0].slice(start.column);
  return text.join('\n');
}

const quiet = new Instrumenter({
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => {}]),
  ),
  ...Object.fromEntries(
    ['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal'].map((level) => [`is${level}Enabled`, () => false]),
  ),
} as unknown as ConstructorParameters<typeof Instrumenter>[0]);

/** All mutants of a file. */
async function mutantsOf(file: string, stratum: string): Promise<Candidate[]> {
  const content = readFileSync(file, 'utf8');
  const { mutants } = await quiet.instrument([{ name: `/${file}`, mutate: true, content }], {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const lines = content.split('\n');
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const { location, mutatorName: mutator, replacement } = mutant;
    const original = textBetween(lines, location);
    const text = hash(file, mutator, original, replacement);
    const ordinal = seen.get(text) ?? 0;
    seen.set(text, ordinal + 1);
    const { start, end } = location;
    return {
      id: hash(text, `${ordinal}`).slice(0, 10),
      key: keyOf(mutant),
      stratum,
      file,
      mutator,
      original,
      replacement,
      range: `${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
      line: start.line + 1,
      column: start.column,
    };
  });
}

/** A stratum's files: none that an earlier stratum has. */
function filesOf(stratum: Stratum): string[] {
  const earlier = strata.slice(0, strata.indexOf(stratum));
  return filesBelow('src').filter(
    (file) =>
      file.startsWith(stratum.folder) &&
      isProduct(file) &&
      !runAsBuilt.includes(file) &&
      !earlier.some(({ folder }) => file.startsWith(folder)),
  );
}

/** The mutants drawn of a stratum, and how many it has: those whose hashes with the seed are the smallest. */
export async function draw(stratum: Stratum): Promise<{ readonly of: number; readonly drawn: Candidate[] }> {
  const all = (await Promise.all(filesOf(stratum).map((file) => mutantsOf(file, stratum.name)))).flat();
  const ranked = all
    .map((candidate) => ({ candidate, rank: hash(SEED, candidate.id) }))
    .sort((x, y) => (x.rank < y.rank ? -1 : 1));
  return { of: all.length, drawn: ranked.slice(0, stratum.sample).map(({ candidate }) => candidate) };
}
