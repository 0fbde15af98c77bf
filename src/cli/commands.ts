import { EXIT } from '../base/errors.ts';
import { loadOptions, trustOptions } from '../config/command-options.ts';
import { runOptions } from '../config/run-options.ts';
import { type Commands, command } from '../options/command.ts';
import { pickOptions } from '../options/option.ts';
import { benchReferenceOptions, kernelOptions, overviewOptions } from './bench/options.ts';
import { checkOptions, toleranceOptions } from './check/options.ts';
import { collectOptions, submitOptions, watchOptions, workOptions } from './farm/options.ts';
import { fuzzOptions } from './fuzz/options.ts';
import { gateOptions, json, refuseNothing } from './gate/options.ts';
import {
  addOptions,
  buildOptions,
  compareOptions,
  ENTRIES,
  initOptions,
  inspectOptions,
  judgeOptions,
  mergeOptions,
  PAGES,
  pageOptions,
  reportOptions,
  selftestOptions,
  tuneOptions,
} from './options.ts';
import { describeOptions, measureOptions, referenceOptions } from './product/options.ts';
import { studyOptions } from './study/options.ts';

/** The part of a request for files, if any are named. */
const named = (files: readonly string[]) => (files.length === 0 ? {} : { files });

/** The commands, in the order of help; the modules of each load when it runs. */
export const commands: Commands = {
  init: command({
    what: 'Write a kernel, a config and a CI workflow into this folder',
    options: initOptions,
    example: '--language python --ci none',
    run: async (request) => (await import('./init/init.ts')).runInit(request),
  }),
  gate: command({
    args: '[...files#kernels]',
    what: 'Judge kernels: pass, fail or inconclusive, case by case',
    options: gateOptions,
    example: 'matmul.ts#matmul',
    run: async (given, files) => {
      const request = { ...given, ...named(files) };
      refuseNothing(request);
      return (await import('./gate/gate.ts')).runGateCommand(request);
    },
  }),
  check: command({
    what: 'Check a product in hand: is this D the product of these A and B?',
    options: checkOptions,
    example: '--a a.npy --b b.npy --d d.npy',
    run: async (request) => (await import('./check/check.ts')).runCheck(request),
  }),
  tolerance: command({
    what: 'Say what error a correct kernel may have, and what rtol and atol fit it',
    options: toleranceOptions,
    example: '--k 4096 --precision bf16-f32',
    run: async (request) => (await import('./tolerance/tolerance.ts')).runTolerance(request),
  }),
  serve: command({
    what: 'Answer checks of another program over pipes',
    options: {},
    run: async () => (await import('./serve/serve.ts')).runServe(),
  }),
  judge: command({
    args: '<file#kernel>',
    what: 'Judge an untrusted kernel in seconds, and print a JSON verdict',
    options: judgeOptions,
    example: 'submission.py#matmul --sandbox required',
    run: async (request, [file]) => (await import('./judge/judge.ts')).runJudge(file, request),
  }),
  mcp: command({
    what: 'Serve the Model Context Protocol on standard input and output',
    options: pickOptions(trustOptions, 'sandbox'),
    run: async ({ sandbox }) => (await import('../mcp/node/serve.ts')).runMcp(sandbox),
  }),
  fuzz: command({
    args: '[...files#kernels]',
    what: 'Draw random cases, and shrink failures to the smallest case',
    options: fuzzOptions,
    example: '--kernel strassen --time 10m',
    run: async (request, files) =>
      (await import('./fuzz/fuzz.ts')).runFuzzing({ ...request, ...named(files) }),
  }),
  merge: command({
    args: '<...results.json>',
    what: 'Join the results of shards into one verdict',
    options: mergeOptions,
    example: 'shard-*/results.json --out merged',
    run: async (request, files) => (await import('./results/merge.ts')).runMerge(files, request),
  }),
  'farm submit': command({
    args: '[...files#kernels]',
    what: 'Plan a campaign for many machines, and store it',
    options: submitOptions,
    example: 'matmul.ts#matmul --queue redis://localhost:6379',
    run: async (request, files) =>
      (await import('./farm/submit.ts')).runSubmit({ ...request, ...named(files) }),
  }),
  'farm work': command({
    args: '[...files#kernels]',
    what: 'Judge batches of a campaign until none is left',
    options: workOptions,
    example: 'matmul.ts#matmul --queue redis://localhost:6379 --jobs 4',
    run: async (request, files) => (await import('./farm/work.ts')).runWork({ ...request, ...named(files) }),
  }),
  'farm watch': command({
    what: 'Show the progress and the failures of a campaign',
    options: watchOptions,
    run: async (request) => (await import('./farm/watch.ts')).runFarmWatch(request),
  }),
  'farm collect': command({
    what: 'Judge a campaign from its stored results, and write reports',
    options: collectOptions,
    run: async (request) => (await import('./farm/collect.ts')).runCollect(request),
  }),
  compare: command({
    args: '<old.json> <new.json>',
    what: 'Compare two results files; new failures end with exit code 1',
    options: compareOptions,
    example: 'before/results.json reports/local/results.json',
    run: async (request, [old, recent]) =>
      request.bits === true
        ? (await import('./results/compare-bits.ts')).runCompareBits(old, recent, request)
        : (await import('./results/compare.ts')).runCompare(old, recent, request),
  }),
  report: command({
    args: '<results.json>',
    what: 'Write an HTML report of a results file',
    options: reportOptions,
    example: 'reports/local/results.json --against before/results.json',
    run: async (request, [results]) =>
      (await import('./results/report.ts')).runReport(results, request, process.stdout),
  }),
  'atlas add': command({
    args: '<...results.json>',
    what: 'Add results files to the atlas: all of them, or none',
    options: addOptions,
    example: 'reports/local/results.json',
    run: async ({ to = ENTRIES, ...request }, files) =>
      (await import('./atlas/atlas.ts')).runAdd(files, { ...request, to }),
  }),
  'atlas build': command({
    what: 'Write the pages of the atlas',
    options: buildOptions,
    run: async ({ from = ENTRIES, out = PAGES }) => (await import('./atlas/atlas.ts')).runBuild(from, out),
  }),
  page: command({
    what: 'Serve a page that judges kernels on the GPU of its visitor',
    options: pageOptions,
    example: '--open',
    run: async (request) => (await import('./page/page.ts')).runPage(request, process.stdout),
  }),
  study: command({
    args: '<name>',
    what: "Measure a paper's numbers again (names: `list studies`)",
    options: studyOptions,
    example: 'strassen-2011 --only errors --figures 30,31 --max-size 4096',
    run: async (request, [name]) => (await import('./study/study.ts')).runStudyCommand(name, request),
  }),
  probe: command({
    what: 'Compare the arithmetic of an adapter with the rules of WGSL',
    options: { ...pickOptions(runOptions, 'adapter', 'toggles'), json },
    run: async (request) => (await import('./devices/devices.ts')).runProbe(request),
  }),
  inspect: command({
    args: '[...files#kernels]',
    what: "Infer algorithm, precision and order of sums from a kernel's outputs",
    options: inspectOptions,
    example: '--kernel winograd:register --levels 2',
    run: async (request, files) =>
      (await import('./inspect/inspect.ts')).runInspect({ ...request, ...named(files) }),
  }),
  measure: command({
    what: 'Measure one product: errors, bounds and expected error',
    options: measureOptions,
    example: '--algorithm strassen --levels 1 --input inverse-pair --size 2048',
    run: async (request) => (await import('./product/measure.ts')).runMeasure(request),
  }),
  describe: command({
    what: 'List the steps, cost and error bound of a product (needs no GPU)',
    options: describeOptions,
    example: '--algorithm winograd --levels 2 --size 4096',
    run: async (request) => (await import('./product/describe.ts')).runDescribe(request),
  }),
  reference: command({
    what: 'Write the exact product of two matrices, with its certificate',
    options: referenceOptions,
    example: '--a A.npy --b B.npy --out C.npy',
    run: async (request) => (await import('./product/reference.ts')).runReference(request, process.stdout),
  }),
  selftest: command({
    what: 'Plant faults in built-in kernels, and check that the gate fails them',
    options: selftestOptions,
    run: async (request) => (await import('./selftest/selftest.ts')).runSelfTest(request),
  }),
  devices: command({
    what: 'List the GPU adapters, their arithmetic and the default adapter',
    options: { json },
    run: async (request) => (await import('./devices/devices.ts')).runDevices(request),
  }),
  bench: command({
    what: 'Time the default gate, fuzzing and the leaf kernels',
    options: overviewOptions,
    run: async (request) => (await import('./bench/overview.ts')).runOverview(request),
  }),
  'bench kernels': command({
    what: 'Compare the speed of kernels over sizes',
    options: kernelOptions,
    example: '--kernels :register --sizes 512,1024,2048 --levels 0..2',
    run: async (request) => (await import('./bench/kernels.ts')).runBenchKernels(request),
  }),
  'bench reference': command({
    what: 'Time the methods of computing an exact product',
    options: benchReferenceOptions,
    run: async (request) => (await import('./bench/reference.ts')).runBenchReference(request, process.stdout),
  }),
  list: command({
    args: '<kind>',
    what: 'List algorithms, kernels, inputs, precisions, checks, styles, reporters, studies, clients, faults, epilogues or structures',
    options: { ...pickOptions(loadOptions, 'config'), json },
    example: 'inputs',
    run: async (request, [kind]) => (await import('./list/list.ts')).runList(kind, request),
  }),
  tune: command({
    what: 'Time the leaf kernels on an adapter, and store the fastest',
    options: tuneOptions,
    example: '--size 4096 --leaf staged,gpu8 --robustness on,off',
    run: async (request) => (await import('./devices/tune.ts')).runTune(request),
  }),
  completion: command({
    args: '<shell>',
    what: 'Print the completion script for bash, zsh or fish',
    options: {},
    example: 'bash > ~/.local/share/bash-completion/completions/gemm-paranoia',
    run: async (_, [shell]) => {
      const { completionOf } = await import('../options/node/completion.ts');
      process.stdout.write(completionOf(shell, 'gemm-paranoia', commands));
      return EXIT.pass;
    },
  }),
};
