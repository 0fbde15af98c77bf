import { conventions } from '../kernels/files/file-origin.ts';
import { choice, flag, text, texts } from '../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../options/option.ts';
import type { runOptions, thresholdOptions } from './run-options.ts';

/** Ways to sandbox untrusted kernels. */
export const sandboxes = ['required', 'auto', 'off'] as const;

/** OptionTable of kernels in files, which no config has. */
export const fileOptions = {
  python: text('--python <path>', 'The Python of files of Python', {
    ...{ usual: 'PARANOIA_PYTHON, the active environment, python3', scope: 'judging' },
    nodeOnly: 'it has no Python',
  }),
  device: text('--device <name>', 'Where files of Python have their arrays: cuda, cuda:1', {
    ...{ scope: 'judging', nodeOnly: 'it has no Python' },
  }),
  convention: choice(
    conventions,
    '--convention <name>',
    'How a function of a shared library is called: fortran or cblas',
    { usual: 'as its name tells', scope: 'judging', nodeOnly: 'it opens no shared libraries' },
  ),
} as const satisfies OptionTable;

/** OptionTable of untrusted kernels. */
export const trustOptions = {
  sandbox: choice(
    sandboxes,
    '--sandbox <how>',
    'What must hold a kernel that is not trusted: required (files, network and processes, or exit code 7), auto (what can), off',
    { usual: 'auto', scope: 'judging', untrusted: 'only' },
  ),
  algorithm: text(
    '--algorithm <name>',
    'What a kernel that is not trusted may be, and its errors be those of: strassen, or strassen:2 for two levels',
    { usual: 'classical', scope: 'judging', untrusted: 'only' },
  ),
  reads: texts(
    '--reads <list>',
    'Files and folders that a kernel which is not trusted may read beside its own file, such as what it imports',
    { scope: 'judging', untrusted: 'only' },
  ),
} as const satisfies OptionTable;

/** OptionTable of several commands that decide which kernels and files there are. */
export const loadOptions = {
  config: text('--config <file>', 'The config', {
    ...{ usual: 'the nearest paranoia.config.ts', scope: 'judging', untrusted: 'never' },
  }),
  ours: flag('--ours', 'Judge our own kernels, unless --kernel or a file names others'),
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
