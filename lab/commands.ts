import { json } from '../src/cli/gate/options.ts';
import { type Commands, command } from '../src/options/command.ts';
import { text } from '../src/options/kinds.ts';
import { catalogueOptions } from './collection/options.ts';
import { gradersOptions } from './graders/options.ts';
import { historyOptions } from './history/options.ts';
import { honestOptions } from './honest/options.ts';
import { killsOptions } from './kills/options.ts';
import { orderOptions } from './kills/order-options.ts';

/** The experiments of the laboratory, in the order of help. */
export const commands: Commands = {
  honest: command({
    what: 'Run the checks of the gate on correct kernels: every failure is a false alarm',
    options: honestOptions,
    example: '--cases 100000 --jobs 16',
    run: async (request) => (await import('./honest/command.ts')).runHonest(request),
  }),
  power: command({
    what: 'Find the smallest faults that the checks detect, by length and number of sums (no device)',
    options: { json },
    run: async (request) => (await import('./power/command.ts')).runPower(request),
  }),
  history: command({
    args: '[...ids]',
    what: 'Run gate, fuzz and inspect on bugs of public trackers: all, some, or a half (first, unseen)',
    options: historyOptions,
    example: 'unseen --jobs 2',
    run: async (request, ids) => (await import('./history/command.ts')).runHistory(ids, request),
  }),
  graders: command({
    what: "Run other projects' checks, and ours, on the corpus kernels, and count the faults that each catches",
    options: gradersOptions,
    example: '--set history --graders lapack,gate --sample 10',
    run: async (request) => (await import('./graders/command.ts')).runGraders(request),
  }),
  kills: command({
    what: 'Ask wrong kernels every case of the default gate, and keep which case kills which kernel, at what cost',
    options: killsOptions,
    example: '--jobs 16',
    run: async (request) => (await import('./kills/command.ts')).runKills(request),
  }),
  order: command({
    args: '<...matrices>',
    what: 'Learn the order of cases from half of kill matrices, and measure it on the other half',
    options: orderOptions,
    example: 'reports/local/kills/kills.json.gz',
    run: async (request, matrices) => (await import('./kills/order.ts')).runOrder(matrices, request),
  }),
  catalogue: command({
    what: 'Measure the accuracy cost of the tables of fast algorithms, and write a report',
    options: catalogueOptions,
    example: '--only strassen,winograd',
    run: async (request) => (await import('./collection/command.ts')).runCollection(request, process.stdout),
  }),
  tables: command({
    args: '[...forms]',
    what: 'Search for new tables from published ones (fixtures/algorithms): all forms, or some',
    options: {},
    example: '3x3x3',
    run: async (_, forms) => (await import('./collection/make.ts')).makeTables(forms),
  }),
  units: command({
    args: '<folder>',
    what: 'Compare the models of matrix units with device results from units/collect.py',
    options: {
      tables: text('--tables <file>', 'Output file of the tables'),
      sample: text('--sample <file>', 'Output file of a sample of every section, for the tests'),
    },
    example: 'results-of-h100 --tables reports/units/tables.md',
    run: async (request, [folder]) => (await import('./units/command.ts')).runUnits(folder, request),
  }),
  farm: command({
    args: '[machines] [cases] [compression]',
    what: 'Simulate a farm on a real broker, faster than real time, and add it to reports/farm (no numbers: rewrite the page)',
    options: {},
    example: '1000 1000000 600',
    run: async (_, given) => (await import('./farm-simulation/command.ts')).runFarm(given),
  }),
};
