import { json } from '../src/cli/gate/options.ts';
import { type Commands, command } from '../src/options/command.ts';
import { text } from '../src/options/kinds.ts';
import { catalogueOptions } from './collection/options.ts';
import { gradersOptions } from './graders/options.ts';
import { historyOptions } from './history/options.ts';
import { honestOptions } from './honest/options.ts';

/** The experiments of the laboratory, in the order of help. */
export const commands: Commands = {
  honest: command({
    what: 'Judge kernels without a fault by the checks of the gate: whatever fails is a false alarm',
    options: honestOptions,
    example: '--cases 100000 --jobs 16',
    run: async (request) => (await import('./honest/command.ts')).runHonest(request),
  }),
  power: command({
    what: 'Find the smallest faults that the checks see, by the length and the number of sums; without a device',
    options: { json },
    run: async (request) => (await import('./power/command.ts')).runPower(request),
  }),
  history: command({
    args: '[...ids]',
    what: 'Ask gate, fuzz and inspect about bugs of public trackers: all, some, or a half (first, unseen)',
    options: historyOptions,
    example: 'unseen --jobs 2',
    run: async (request, ids) => (await import('./history/command.ts')).runHistory(ids, request),
  }),
  graders: command({
    what: "Ask other people's checks, and ours, about kernels of the corpora, and count what each catches",
    options: gradersOptions,
    example: '--set history --graders lapack,gate --sample 10',
    run: async (request) => (await import('./graders/command.ts')).runGraders(request),
  }),
  catalogue: command({
    what: 'Measure what the tables of fast algorithms cost in accuracy, and write pages of it',
    options: catalogueOptions,
    example: '--only strassen,winograd',
    run: async (request) => (await import('./collection/command.ts')).runCatalogue(request, process.stdout),
  }),
  tables: command({
    args: '[...forms]',
    what: 'Make the tables of fixtures/algorithms that are found from published ones: of all forms, or of some',
    options: {},
    example: '3x3x3',
    run: async (_, forms) => (await import('./collection/make.ts')).makeTables(forms),
  }),
  units: command({
    args: '<folder>',
    what: 'Compare the models of matrix units with what devices gave, as units/collect.py wrote it',
    options: {
      tables: text('--tables <file>', 'Write the tables there'),
      sample: text('--sample <file>', 'Write some results of every section there, for the tests'),
    },
    example: 'results-of-h100 --tables reports/units/tables.md',
    run: async (request, [folder]) => (await import('./units/command.ts')).runUnits(folder, request),
  }),
  farm: command({
    args: '[machines] [cases] [compression]',
    what: 'Simulate a farm on a real broker, so many times faster than time, and add it to reports/farm; without numbers, write the page again',
    options: {},
    example: '1000 1000000 600',
    run: async (_, given) => (await import('./farm-simulation/command.ts')).runFarm(given),
  }),
};
