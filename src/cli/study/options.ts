import { join } from 'node:path';
import { unknownName } from '../../base/messages.ts';
import { loadOptions } from '../../config/command-options.ts';
import { defaults, runOptions } from '../../config/run-options.ts';
import { common } from '../../options/command.ts';
import { choice, flag, number, numbers, text, texts } from '../../options/kinds.ts';
import { readChoice } from '../../options/node/read.ts';
import { flagOf, givenFlag, type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import { type NumberRange, ranges } from '../../problem/ranges.ts';
import { type ErrorStudy, figureOf, type Study, type StudyPart, studyParts } from '../../study/study.ts';
import { jsonOrFile, trialOptions } from '../bench/options.ts';

const range = (least: number, most: number, whole = true): NumberRange => ({
  ...{ least, most, whole },
  need: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
});

const ofBoth = {
  only: choice(studyParts, '--only <part>', 'Part of the study: errors or speeds', {
    usual: 'all that the paper has',
  }),
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  ...pickOptions(loadOptions, 'config'),
  maxSize: number(ranges.size, '--max-size <n>', 'Largest size of a product', {
    usual: 'errors: 2048 in software, else any; speeds: 512 in software, else 16384',
  }),
  shrink: number(
    range(1, 1024, false),
    '--shrink <factor>',
    'Divide all sizes, for a dry run without comparison',
  ),
  out: {
    ...runOptions.out,
    what: 'Folder of results, from which a later run resumes',
    usual: `${defaults.out}/<name>`,
  },
} as const satisfies OptionTable;

const ofErrors = {
  figures: texts('--figures <list>', 'errors: figures, such as 30,31', { usual: 'all' }),
  pairs: number(range(1, 1000), '--pairs <n>', 'errors: random pairs, for tables over several pairs', {
    usual: 'as published',
  }),
  fresh: flag('--fresh', 'errors: repeat the measurements of an earlier run'),
  timeLimit: {
    ...runOptions.timeLimit,
    what: 'errors: start no product after this time; rerun to resume',
  },
} as const satisfies OptionTable;

const ofSpeeds = {
  sizes: numbers(ranges.size, '--sizes <sizes>', "speeds: sizes, instead of the paper's"),
  beside: texts('--beside <names>', 'speeds: vendor libraries, such as torch:cuda-f32,numpy:f64'),
  leaf: text('--leaf <name>', 'speeds: built-in leaf kernel', { usual: 'register' }),
  multiprocessors: number(
    range(1, 10_000),
    '--multiprocessors <n>',
    'speeds of huang-2020: multiprocessors of the GPU',
  ),
  ...trialOptions,
  json: jsonOrFile,
} as const satisfies OptionTable;

export const studyOptions = { ...ofBoth, ...ofErrors, ...ofSpeeds } as const satisfies OptionTable;

/** The request of `study`. */
export interface StudyRequest extends ValuesOf<typeof studyOptions> {
  readonly verbose?: true | undefined;
}

/** The request that both parts of a study share. */
export interface StudyTask {
  readonly parts: readonly StudyPart[];
  /** The largest size; undefined for one that suits the adapter. */
  readonly maxSize: number | undefined;
  /** The divisor of sizes. */
  readonly shrink: number;
  readonly out: string;
}

/** Reads the request of a study. @throws ParanoiaError `unknown-name` for a part or an option that the study lacks */
export function studyTask(study: Study, request: StudyRequest): StudyTask {
  const { name } = study;
  const has = studyParts.filter((part) => study[part] !== undefined);
  const parts = request.only === undefined ? has : [readChoice('--only', request.only, has)];
  const known: OptionTable = {
    ...{ ...ofBoth, ...common },
    ...(parts.includes('errors') ? ofErrors : {}),
    ...(parts.includes('speeds') ? ofSpeeds : {}),
  };
  const other = givenFlag(studyOptions, request, (_, key) => !Object.hasOwn(known, key));
  if (other !== undefined) {
    const what = `option of study ${name}${parts.length === 1 ? ` --only ${parts[0]}` : ''}`;
    throw unknownName({ what, given: other, known: Object.values(known).map(flagOf) });
  }
  const { maxSize, shrink = 1, out = join(defaults.out, name) } = request;
  return { parts, maxSize, shrink, out };
}

/** The further request of a study of errors. */
export interface ErrorTask {
  /** Figures by number. */
  readonly figures: readonly string[];
  readonly pairs: number;
  readonly fresh: boolean;
  readonly timeLimit: number | undefined;
}

/** Reads the request of a study of errors. @throws ParanoiaError `unknown-name` */
export function errorTask(errors: ErrorStudy, request: StudyRequest): ErrorTask {
  const known = [...new Set([...errors.cells({ pairs: 1 }), ...(errors.computed?.() ?? [])].map(figureOf))];
  const { figures = known, pairs = errors.pairs ?? 1, fresh = false, timeLimit } = request;
  return { figures: figures.map((one) => readChoice('--figures', one, known)), pairs, fresh, timeLimit };
}
