import { printable } from './printable.ts';

/** Exit codes of the command line. */
export const EXIT = {
  pass: 0,
  fail: 1,
  usage: 2,
  noAdapter: 3,
  inconclusive: 4,
  /** A kernel threw, died, hung or answered with no product while it was inspected. */
  crash: 5,
  /** A config, a kernel's module or another file of the user's ended the program, or never finished loading. */
  ended: 6,
  /** What is not trusted was to be held, and cannot be here. */
  noSandbox: 7,
  /** A fault of this program: EX_SOFTWARE of BSD's sysexits. */
  internal: 70,
  /** The operating system gives no more files, processes or memory, or refuses one that is there: its EX_OSERR. */
  resources: 71,
  /** What is printed or written does not arrive: its EX_IOERR. */
  output: 74,
} as const;

/** Whose fault it is that there is no product: only a kernel's own makes a case fail. */
export const blamed = ['kernel', 'machine', 'nobody'] as const;
export type Blamed = (typeof blamed)[number];

/** An error its reader can act on: a code, a sentence, whose fault it is, and what the command line ends with. */
export class ParanoiaError extends Error {
  override readonly name = 'ParanoiaError';
  readonly code: string;
  readonly exitCode: number;
  readonly blames: Blamed;

  /** Characters of the message that would steer a terminal are made visible: names in it may be anybody's. */
  constructor(
    code: string,
    exitCode: number,
    message: string,
    { blames = 'nobody', ...options }: ErrorOptions & { readonly blames?: Blamed } = {},
  ) {
    super(printable(message), options);
    this.code = code;
    this.exitCode = exitCode;
    this.blames = blames;
  }
}

/** What some work gives, or the error that a reader can act on: others go on. */
export function settled<T>(work: () => T): T | ParanoiaError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

/** {@link settled} for work that is under way. */
export async function settling<T>(work: Promise<T>): Promise<T | ParanoiaError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

/** Builds the error of one message from its details; `cause` keeps the underlying one for `--verbose`. */
export interface Message<D> {
  (details: D, cause?: unknown): ParanoiaError;
  readonly code: string;
  readonly exitCode: number;
}

/**
 * Defines what a reader is told of one thing that went wrong: one sentence that names what, where, and what to do. One that ends with a
 * question which it quotes ends once.
 * @param code its name, in kebab case: no two messages share one.
 * @param blames whose fault it is where it happens to a product.
 */
// Bundlers leave out the messages that nothing of a page says.
// @__NO_SIDE_EFFECTS__
export function defineMessage<D = void>(
  code: string,
  exitCode: number,
  say: (details: D) => string,
  blames: Blamed = 'nobody',
): Message<D> {
  const build = (details: D, cause?: unknown) =>
    new ParanoiaError(code, exitCode, say(details).replace(/\?\.$/, '?'), {
      blames,
      ...(cause === undefined ? {} : { cause }),
    });
  return Object.assign(build, { code, exitCode });
}
