import { join } from 'node:path';
import type { Flags } from '../config/flags.ts';
import { parseChoice, parseChoices, parseNumber, parseText } from '../config/flags.ts';
import { defaults } from '../config/options.ts';
import { type Range, ranges } from '../problem/ranges.ts';
import { type ErrorStudy, figureOf, type Study, type StudyPart, studyParts } from '../study/study.ts';
import { refuseOthers } from './bench-options.ts';

/** The options of each part beside those of both, by name in camel case. */
const own = {
  both: ['only', 'adapter', 'toggle', 'config', 'maxSize', 'shrink', 'out'],
  errors: ['figures', 'pairs', 'fresh', 'timeLimit'],
  speeds: [
    ...['sizes', 'beside', 'leaf', 'multiprocessors', 'trials', 'warmUp', 'seconds', 'clock', 'seed', 'json'],
  ],
} as const;

/** What both parts of a study are asked for. */
export interface StudyRequest {
  readonly parts: readonly StudyPart[];
  /** Undefined: as large as suits the adapter. */
  readonly maxSize: number | undefined;
  /** What sizes are divided by. */
  readonly shrink: number;
  readonly out: string;
}

/** @throws ParanoiaError `unknown-name` for a part or an option that the study has not, `bad-number`, `missing-option` */
export function studyRequest(study: Study, flags: Flags): StudyRequest {
  const { name } = study;
  const has = studyParts.filter((part) => study[part] !== undefined);
  const parts = flags.only === undefined ? has : [parseChoice('--only', flags.only, has)];
  const what = parts.length === 1 ? `option of study ${name} --only ${parts[0]}` : `option of study ${name}`;
  refuseOthers(what, [...own.both, ...parts.flatMap((part): readonly string[] => own[part])], flags);
  return {
    parts,
    maxSize: flags.maxSize === undefined ? undefined : parseNumber('--max-size', flags.maxSize, ranges.size),
    shrink: flags.shrink === undefined ? 1 : parseNumber('--shrink', flags.shrink, SHRINK),
    out: flags.out === undefined ? join(defaults.out, name) : parseText('--out', flags.out),
  };
}

/** What published errors are asked for, beside all. */
export interface ErrorRequest {
  /** Figures, by number. */
  readonly figures: readonly string[];
  readonly pairs: number;
  readonly fresh: boolean;
  readonly timeLimit: number | undefined;
}

/** @throws ParanoiaError `unknown-name`, `bad-number`, `missing-option` */
export function errorRequest(errors: ErrorStudy, flags: Flags): ErrorRequest {
  const { timeLimit } = flags;
  const { pairs = 1 } = errors;
  const figures = [...new Set([...errors.cells({ pairs: 1 }), ...(errors.computed?.() ?? [])].map(figureOf))];
  return {
    figures: flags.figures === undefined ? figures : parseChoices('--figures', flags.figures, figures),
    pairs: flags.pairs === undefined ? pairs : parseNumber('--pairs', flags.pairs, PAIRS),
    fresh: flags.fresh === true,
    timeLimit: timeLimit === undefined ? undefined : parseNumber('--time-limit', timeLimit, ranges.timeLimit),
  };
}

const SHRINK: Range = { least: 1, most: 1024, whole: false, need: 'a number from 1 to 1024' };
const PAIRS: Range = { least: 1, most: 1000, whole: true, need: 'a whole number from 1 to 1000' };
