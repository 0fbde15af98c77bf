import { writeSync } from 'node:fs';

// No file of ours is imported here: this answers where not even those can be loaded.

/** The schema and the version of this program, as `JUDGEMENT_SCHEMA` and `VERSION` have them. */
const [SCHEMA, VERSION] = ['gemm-paranoia/judgement/1', '0.1.0'];

let isAnswered = false;
let reason: string | undefined;

/** Makes the judgement of what was found before the end; undefined where nothing was. */
type AnswerSoFar = (reason: string | undefined, code: number) => { readonly exitCode: number } | undefined;

let soFar: AnswerSoFar = () => undefined;

let masked = (text: string): string => text;

/** Sets the function that masks secrets in what is printed here, past the stream that masks them elsewhere. */
export function maskBy(mask: (text: string) => string): void {
  masked = mask;
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
  if (words.some((word) => ['--help', '-h', '--version', '-v'].includes(word))) return;
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
