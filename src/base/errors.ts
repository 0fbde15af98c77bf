import { escapeControls } from './printable.ts';

/** Exit codes of the command line. */
export const EXIT = {
  pass: 0,
  fail: 1,
  usage: 2,
  noAdapter: 3,
  inconclusive: 4,
  /** A kernel threw, died, hung or returned no product while it was inspected. */
  crash: 5,
  /** A config, a kernel's module or another file of the user ended the program, or never finished loading. */
  ended: 6,
  /** Untrusted code must be sandboxed, and cannot be on this system. */
  noSandbox: 7,
  /** A bug of this program: EX_SOFTWARE of BSD's sysexits. */
  internal: 70,
  /** The operating system has no more files, processes or memory, or refuses an existing one: its EX_OSERR. */
  resources: 71,
  /** Printed or written output does not arrive: its EX_IOERR. */
  output: 74,
} as const;

/** The party to blame for a missing product. Only a kernel's own fault makes a case fail. */
export const blamed = ['kernel', 'machine', 'nobody'] as const;
export type BlamedParty = (typeof blamed)[number];

/** An error that its reader can act on: a code, a sentence, the party to blame, and the exit code of the command line. */
export class ParanoiaError extends Error {
  override readonly name = 'ParanoiaError';
  readonly code: string;
  readonly exitCode: number;
  readonly blames: BlamedParty;

  /** Makes characters of the message visible that would control a terminal: names in it may come from anyone. */
  constructor(
    code: string,
    exitCode: number,
    message: string,
    { blames = 'nobody', ...options }: ErrorOptions & { readonly blames?: BlamedParty } = {},
  ) {
    super(escapeControls(message), options);
    this.code = code;
    this.exitCode = exitCode;
    this.blames = blames;
  }
}

/** Returns the same error with another sentence after its message. */
export const addToMessage = (error: ParanoiaError, sentence: string): ParanoiaError =>
  new ParanoiaError(error.code, error.exitCode, `${error.message} ${sentence}`, {
    blames: error.blames,
    cause: error,
  });

/** Returns the result of some work, or the ParanoiaError that it throws. Other errors propagate. */
export function catchParanoiaError<T>(work: () => T): T | ParanoiaError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

/** Applies {@link catchParanoiaError} to a promise. */
export async function catchParanoiaErrorAsync<T>(work: Promise<T>): Promise<T | ParanoiaError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

/** Builds the error of one message from its details. `cause` keeps the underlying error for `--verbose`. */
export interface ErrorMessage<D> {
  (details: D, cause?: unknown): ParanoiaError;
  readonly code: string;
  readonly exitCode: number;
}

/**
 * Defines the message of one error: the fact with what was found and expected, the likely cause, and the next step. A sentence that ends
 * with a question gets no second full stop.
 * @param code its name, in kebab case: no two messages share one.
 * @param blames the party to blame where it happens to a product.
 */
// Bundlers leave out the messages that no code of a page uses.
// @__NO_SIDE_EFFECTS__
export function defineMessage<D = void>(
  code: string,
  exitCode: number,
  say: (details: D) => string,
  blames: BlamedParty = 'nobody',
): ErrorMessage<D> {
  const build = (details: D, cause?: unknown) =>
    new ParanoiaError(code, exitCode, say(details).replace(/\?\.$/, '?'), {
      blames,
      ...(cause === undefined ? {} : { cause }),
    });
  return Object.assign(build, { code, exitCode });
}
