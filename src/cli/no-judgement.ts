import { writeSync } from 'node:fs';
import { ENDING } from '../base/node/signals.ts';

// Nothing else of ours is imported here: this answers where not even that can be loaded.

/** The schema and the version of this program, as `JUDGEMENT_SCHEMA` and `VERSION` have them. */
const [SCHEMA, VERSION] = ['gemm-paranoia/judgement/1', '0.1.0'];

/** The exit code of what is inconclusive. */
const INCONCLUSIVE = 4;

let isAnswered = false;
let isWatched = false;
let reason: string | undefined;

/** Makes the judgement of what was found before the end; undefined where nothing was. */
type AnswerSoFar = (reason: string | undefined, code: number) => { readonly exitCode: number } | undefined;

let soFar: AnswerSoFar = () => undefined;

let masked = (text: string): string => text;

/** Sets the function that masks secrets in what is printed here, past the stream that masks them elsewhere. */
export function maskBy(mask: (text: string) => string): void {
  masked = mask;
}

let expectEnd = (): void => undefined;

/** Sets what tells those that watch for an end of this process by code of the user's that it is to end. */
export function expectBy(expect: () => void): void {
  expectEnd = expect;
}

/** Sets what makes the judgement where a command ends in the middle. */
export function answerSoFar(make: AnswerSoFar): void {
  soFar = make;
}

/** Takes note that the judgement is printed. */
export function answered(): void {
  isAnswered = true;
}

/** Keeps the sentence with which a command ends early. */
export function because(sentence: string): void {
  reason = sentence;
}

/**
 * Prints a judgement at the end of this process where `judge` printed none: whatever reads its standard output finds one object.
 * @param words those behind `judge`.
 */
export function answerAtLast(words: readonly string[]): void {
  if (isWatched || words.some((word) => ['--help', '-h', '--version', '-v'].includes(word))) return;
  isWatched = true;
  const start = performance.now();
  process.on('exit', (code) => {
    if (isAnswered) return;
    isAnswered = true;
    const exitCode = Number(process.exitCode ?? code);
    const seconds = Number(((performance.now() - start) / 1000).toPrecision(3));
    const judgement = soFar(reason, exitCode) ?? nothingJudged(words, exitCode, seconds);
    process.exitCode = judgement.exitCode;
    try {
      writeSync(1, masked(`${JSON.stringify(judgement, undefined, 2)}\n`));
    } catch {
      // Nobody reads it.
    }
  });
}

let endEarly: (() => void) | undefined;

/** Has `judge` answer a signal that comes before a run listens to signals, while it still loads and reads. */
export function answerSignals(words: readonly string[]): void {
  endEarly = () => {
    because('A signal ended it before a kernel was judged.');
    answerAtLast(words);
    expectEnd();
    process.exit(INCONCLUSIVE);
  };
  for (const signal of ENDING) process.on(signal, endEarly);
}

/** Leaves signals to a run that listens to them from now on. */
export function leaveSignals(): void {
  if (endEarly !== undefined) for (const signal of ENDING) process.off(signal, endEarly);
}

function nothingJudged(words: readonly string[], exitCode: number, seconds: number) {
  const name = words.find((word) => !word.startsWith('-')) ?? '';
  const why = reason ?? 'It ended before a kernel was judged; its standard error says why.';
  return {
    ...{ schema: SCHEMA, verdict: 'inconclusive', exitCode, reason: why },
    ...{ kernel: { name, precision: 'f32', algorithm: 'classical' }, containment: {} },
    versions: { 'gemm-paranoia': VERSION, node: process.versions.node },
    run: { planned: 0, cases: 0, pass: 0, fail: 0, inconclusive: 0, leftOut: 0, adapter: 'none' },
    ...{ seed: 0, failures: [], suspected: [], notes: [], seconds },
  };
}
