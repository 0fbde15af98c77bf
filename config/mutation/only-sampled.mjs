import { readFileSync } from 'node:fs';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The environment's name of the file that lists the keys of sampled mutants. */
const SAMPLE = 'MUTATION_SAMPLE';

/** A checker that lets only sampled mutants through: the range of one may hold others. */
class OnlySampled {
  async init() {
    this.keys = new Set(JSON.parse(readFileSync(process.env[SAMPLE], 'utf8')));
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.keys.has(keyOf(mutant))
          ? { status: 'passed' }
          : { status: 'compileError', reason: 'outside the sample' },
      ]),
    );
  }
}

/** As in `mutants.ts`. */
function keyOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.replaceAll('\\', '/');
  return [
    file.slice(file.lastIndexOf('/src/') + 1),
    [start.line, start.column, end.line, end.column].join(':'),
    mutatorName,
    replacement,
  ].join(' ');
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'only-sampled', OnlySampled)];
