import { writeSync } from 'node:fs';
import { ENDING } from '../base/node/run-uninterrupted.ts';

// No other module of ours is imported here: this one answers where none can be loaded.

/** The schema and the version of this program, as `JUDGMENT_SCHEMA` and `VERSION` have them. */
const [SCHEMA, VERSION] = ['gemm-paranoia/judgment/1', '0.1.0'];

/** The exit code of an inconclusive run. */
const INCONCLUSIVE = 4;

let isAnswered = false;
let isWatched = false;
let reason: string | undefined;

/** Makes the judgment of the results so far; undefined if there are none. */
type AnswerSoFar = (reason: string | undefined, code: number) => { readonly exitCode: number } | undefined;

let soFar: AnswerSoFar = () => undefined;

let masked = (text: string): string => text;

/** Sets the function that masks secrets in this module's output, which bypasses the masking stream. */
export function setMask(mask: (text: string) => string): void {
  masked = mask;
}

let expectEnd = (): void => undefined;

/** Sets the function that announces an intended end of this process; an unannounced end is blamed on the user's code. */
export function setEndAnnouncer(expect: () => void): void {
  expectEnd = expect;
}

/** Sets the function that makes the judgment of an interrupted command. */
export function setInterruptedJudgment(make: AnswerSoFar): void {
  soFar = make;
}

/** Records that the judgment is printed. */
export function markAnswered(): void {
  isAnswered = true;
}

/** Records the sentence with which a command ends early. */
export function recordEndReason(sentence: string): void {
  reason = sentence;
}

/**
 * Prints a judgment at the end of this process if `judge` has printed none, so that its standard output always holds one object.
 * @param words the words after `judge`
 */
export function answerAtExit(words: readonly string[]): void {
  if (isWatched || words.some((word) => ['--help', '-h', '--version', '-v'].includes(word))) return;
  isWatched = true;
  const start = performance.now();
  process.on('exit', (code) => {
    if (isAnswered) return;
    isAnswered = true;
    const exitCode = Number(process.exitCode ?? code);
    const seconds = Number(((performance.now() - start) / 1000).toPrecision(3));
    const judgment = soFar(reason, exitCode) ?? nothingJudged(words, exitCode, seconds);
    process.exitCode = judgment.exitCode;
    try {
      writeSync(1, masked(`${JSON.stringify(judgment, undefined, 2)}\n`));
    } catch {
      // The output is closed.
    }
  });
}

let endEarly: (() => void) | undefined;

/** Makes `judge` answer a signal that arrives before the run handles signals, while it still loads. */
export function handleSignals(words: readonly string[]): void {
  endEarly = () => {
    recordEndReason('A signal ended the command before a kernel was judged.');
    answerAtExit(words);
    expectEnd();
    process.exit(INCONCLUSIVE);
  };
  for (const signal of ENDING) process.on(signal, endEarly);
}

/** Leaves signals to the run, which handles them from now on. */
export function releaseSignals(): void {
  if (endEarly !== undefined) for (const signal of ENDING) process.off(signal, endEarly);
}

function nothingJudged(words: readonly string[], exitCode: number, seconds: number) {
  const name = words.find((word) => !word.startsWith('-')) ?? '';
  const why = reason ?? 'The command ended before a kernel was judged. Its standard error says why.';
  return {
    ...{ schema: SCHEMA, verdict: 'inconclusive', exitCode, reason: why },
    ...{ kernel: { name, precision: 'f32', algorithm: 'classical' }, containment: {} },
    versions: { 'gemm-paranoia': VERSION, node: process.versions.node },
    run: { planned: 0, cases: 0, pass: 0, fail: 0, inconclusive: 0, skipped: 0, adapter: 'none' },
    ...{ seed: 0, failures: [], suspicions: [], notes: [], seconds },
  };
}
