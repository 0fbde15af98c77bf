import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportUnwritable } from '../../src/base/messages.ts';
import { appendTo, ensureWritable, writeWhole } from '../../src/base/node/write-file.ts';
import { badOutcomes, otherOutcomes } from '../messages.ts';
import type { GraderOutcome } from './outcome.ts';

/** The settings that decide outcomes: a run does not mix outcomes of different ones. */
export interface OutcomeKey {
  readonly version: string;
  readonly seed: number;
  /** The most multiplications of a product. */
  readonly most: number;
}

const keyText = ({ version, seed, most }: OutcomeKey) => `version ${version}, --seed ${seed}, --most ${most}`;

/** Outcomes so far, one a line, from which an interrupted run continues. */
export class Outcomes {
  readonly #file: string;
  readonly all: GraderOutcome[] = [];
  readonly #known = new Set<string>();

  /**
   * Reads the outcomes in a folder, if there are any; a truncated last line is dropped.
   * @throws ParanoiaError `other-outcomes`, `bad-outcomes`, `report-unwritable`
   */
  constructor(folder: string, key: OutcomeKey) {
    ensureWritable(folder);
    this.#file = join(folder, 'outcomes.jsonl');
    const lines = existsSync(this.#file) ? wholeLines(readFileSync(this.#file, 'utf8')) : [];
    for (const [at, line] of lines.entries()) {
      const read = readLine(line);
      if (at === 0 && isKey(read)) {
        if (keyText(read) === keyText(key)) continue;
        throw otherOutcomes({ file: this.#file, theirs: keyText(read), ours: keyText(key) });
      }
      if (at === 0 || !isOutcome(read)) throw badOutcomes({ file: this.#file, line: at + 1 });
      this.#take(read);
    }
    // Rewritten without the truncated line, since new lines are appended.
    writeWhole(this.#file, [JSON.stringify(key), ...lines.slice(1)].map((line) => `${line}\n`).join(''));
  }

  #take(outcome: GraderOutcome): void {
    this.all.push(outcome);
    this.#known.add(`${outcome.grader} ${outcome.specimen}`);
  }

  /** True if a grader has been asked about a kernel. */
  has(grader: string, specimen: string): boolean {
    return this.#known.has(`${grader} ${specimen}`);
  }

  /** Records an outcome. @throws ParanoiaError `report-unwritable` */
  add(outcome: GraderOutcome): void {
    appendTo(this.#file, `${JSON.stringify(outcome)}\n`, (path, why, cause) =>
      reportUnwritable({ path, why }, cause),
    );
    this.#take(outcome);
  }
}

/** The complete lines of a text. */
const wholeLines = (text: string): string[] => text.split('\n').slice(0, -1);

/** Parses a line; undefined if it is invalid. */
function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** True if a value has these keys, with values of these types. */
const has = (value: unknown, types: Readonly<Record<string, string>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(types).every(([key, type]) => typeof Reflect.get(value, key) === type);

const isKey = (value: unknown): value is OutcomeKey =>
  has(value, { version: 'string', seed: 'number', most: 'number' });

const isOutcome = (value: unknown): value is GraderOutcome =>
  has(value, {
    ...{ specimen: 'string', grader: 'string', caught: 'boolean' },
    ...{ products: 'number', work: 'number', seconds: 'number' },
  });
