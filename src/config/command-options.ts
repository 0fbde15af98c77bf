import { conventions } from '../kernels/files/file-origin.ts';
import { choice, flag, text, texts } from '../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../options/option.ts';
import type { runOptions, thresholdOptions } from './run-options.ts';

/** Ways to sandbox untrusted kernels. */
export const sandboxes = ['required', 'auto', 'off'] as const;

/** OptionTable of kernels in files, which no config has. */
export const fileOptions = {
  python: text('--python <path>', 'Python interpreter for .py files', {
    ...{ usual: 'PARANOIA_PYTHON, the active environment, python3', scope: 'judging' },
    nodeOnly: 'it has no Python',
  }),
  device: text('--device <name>', 'Device of Python arrays: cuda, cuda:1', {
    ...{ scope: 'judging', nodeOnly: 'it has no Python' },
  }),
  convention: choice(
    conventions,
    '--convention <name>',
    'Calling convention of a shared library: fortran, cblas or blis',
    { usual: 'detected from the name', scope: 'judging', nodeOnly: 'it opens no shared libraries' },
  ),
} as const satisfies OptionTable;

/** OptionTable of untrusted kernels. */
export const trustOptions = {
  sandbox: choice(sandboxes, '--sandbox <how>', 'Isolation: required (exit 7 if unavailable), auto or off', {
    usual: 'auto',
    scope: 'judging',
    untrusted: 'only',
  }),
  algorithm: text(
    '--algorithm <name>',
    'Algorithm that the kernel may use: strassen, or strassen:2 (two levels)',
    { usual: 'classical', scope: 'judging', untrusted: 'only' },
  ),
  reads: texts('--reads <list>', 'Files and folders that the kernel may read, such as its imports', {
    scope: 'judging',
    untrusted: 'only',
  }),
} as const satisfies OptionTable;

/** OptionTable of several commands that decide which kernels and files there are. */
export const loadOptions = {
  config: text('--config <file>', 'Config file', {
    ...{ usual: 'the nearest paranoia.config.ts', scope: 'judging', untrusted: 'never' },
  }),
  ours: flag('--ours', 'Judge the built-in kernels'),
} as const satisfies OptionTable;

/** The request that a command makes of kernels, config and devices: values of options, and files that it names. */
export interface RunRequest
  extends ValuesOf<typeof runOptions & typeof thresholdOptions>,
    ValuesOf<typeof fileOptions & typeof trustOptions & typeof loadOptions> {
  /** Kernels in files: `matmul.py#matmul`. */
  readonly files?: readonly string[] | undefined;
  readonly untrusted?: true | undefined;
  readonly verbose?: true | undefined;
}
