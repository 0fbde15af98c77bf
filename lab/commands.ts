import type { CommandRecord } from '../src/cli/takes.ts';
import type { Flags } from '../src/config/flags.ts';

/** The experiments of the laboratory, in the order in which help lists them. */
export const commands: Readonly<Record<string, CommandRecord>> = {
  honest: {
    what: 'Judge kernels without a fault by the checks of the gate: whatever fails is a false alarm',
    options: [
      ['--cases <n>', 'So many, drawn at random (default: 1000)'],
      ['--case <case>', 'This case alone: what a false alarm prints'],
      ['--seed <n>', 'Of the cases (default: 1)'],
      ['--jobs <n>', 'So many processes, of seeds from --seed on, which share the cases (default: 1)'],
      ...['adapter', 'toggle', 'json'],
    ],
    example: '--cases 100000 --jobs 16',
    run: async (flags: Flags) => (await import('./honest/command.ts')).runHonest(flags),
  },
  power: {
    what: 'Find the smallest faults that the checks see, by the length and the number of sums; without a device',
    options: ['json'],
    run: async (flags: Flags) => (await import('./power/command.ts')).runPower(flags),
  },
  history: {
    args: '[...ids]',
    what: 'Ask gate, fuzz and inspect about bugs of public trackers: all, some, or a half (first, unseen)',
    options: [
      ['--runs <n>', 'Cases that fuzz draws for each (default: its own)'],
      ['--jobs <n>', 'Bugs that are asked about at once (default: 1)'],
      ...['adapter', 'seed', 'json'],
    ],
    example: 'unseen --jobs 2',
    run: async (ids: unknown[], flags: Flags) =>
      (await import('./history/command.ts')).runHistory(ids.map(String), flags),
  },
  graders: {
    what: "Ask other people's checks, and ours, about kernels of the corpora, and count what each catches",
    options: [
      [
        '--graders <names>',
        'Which checks, ours among them as gate and gate-quick (default: all, which takes hours)',
      ],
      ['--set <names>', 'history, unseen, mutants, cheats, honest (default: all)'],
      ['--sample <n>', 'So many kernels of each set, drawn from --seed (default: all)'],
      ['--most <n>', 'Most multiplications of a product, larger ones made smaller (default: 2^27)'],
      ['--seed <n>', 'Of mutants, samples and entries (default: 1)'],
      ['--jobs <n>', 'So many processes (default: 1)'],
      [
        '--out <folder>',
        'What was said, to go on from, and graders.html, .md and .json (default: reports/local/graders)',
      ],
      ['--json [file]', 'Print JSON, or write it to a file'],
    ],
    example: '--set history --graders lapack,gate --sample 10',
    run: async (flags: Flags) => (await import('./graders/command.ts')).runGraders(flags),
  },
  catalogue: {
    what: 'Measure what the tables of fast algorithms cost in accuracy, and write pages of it',
    options: [
      ['--only <names>', 'Only these tables (default: all, which takes seven minutes)'],
      ['--table <files>', 'The tables in these files, in place of all'],
      ['--levels <n>', 'The most levels that are measured (default: 3)'],
      ['--replicates <n>', 'Random pairs of operands of each shape (default: 6)'],
      ['--out <folder>', 'Where to write (default: reports/local/catalogue)'],
    ],
    example: '--only strassen,winograd',
    run: async (flags: Flags) =>
      (await import('./collection/command.ts')).runCatalogue(flags, process.stdout),
  },
  tables: {
    args: '[...forms]',
    what: 'Make the tables of fixtures/algorithms that are found from published ones: of all forms, or of some',
    options: [],
    example: '3x3x3',
    run: async (forms: unknown[]) => (await import('./collection/make.ts')).makeTables(forms.map(String)),
  },
  units: {
    args: '<folder>',
    what: 'Compare the models of matrix units with what devices gave, as units/collect.py wrote it',
    options: [
      ['--tables <file>', 'Write the tables there'],
      ['--sample <file>', 'Write some results of every section there, for the tests'],
    ],
    example: 'results-of-h100 --tables reports/units/tables.md',
    run: async (folder: unknown, flags: Flags) =>
      (await import('./units/command.ts')).runUnits(String(folder), flags),
  },
  farm: {
    args: '[machines] [cases] [compression]',
    what: 'Simulate a farm on a real broker, so many times faster than time, and add it to reports/farm; without numbers, write the page again',
    options: [],
    example: '1000 1000000 600',
    run: async (...given: unknown[]) =>
      (await import('./farm-simulation/command.ts')).runFarm(given.slice(0, 3)),
  },
};
