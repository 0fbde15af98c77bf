import type { ParanoiaError } from '../../../base/errors.ts';
import type { Timing } from '../../../gpu/runner/time.ts';
import type { Gemm, Laid } from '../../../matrix/gemm.ts';
import type { Operand } from '../../../precision/coding/coding.ts';
import type { Memory } from '../../kernel.ts';
import type { Sink } from './inherited.ts';
import type { Beside, NpyFile } from './operand-files.ts';

/**
 * How we speak with a host: a process that multiplies for us. Programs speak over their standard input and output; our
 * own host, which runs functions, WGSL and encoders, over two pipes beside them, since what is printed there is the
 * kernel's. For every product a host gets one line of JSON,
 *
 *     {"id":7,"problem":{"m":2,"k":3,"n":4,"batch":1,"alpha":1,"beta":0,"a":{…},"b":{…},"c":{…}},"a":152,"b":176}
 *
 * and then, without anything between or behind them, the a bytes of A.npy, the b bytes of B.npy and, where beta is not 0 and
 * so "c" is there, the c bytes of C.npy. It answers with one line and the d bytes of D.npy, or with one line alone:
 *
 *     {"id":7,"d":160}
 *     {"id":7,"error":"what went wrong"}
 *
 * `problem` is the {@link Gemm} that is asked for: sizes, factors, and how each matrix lies in memory, as in
 * {"op":"t","order":"row","ld":5,"offset":3,"stride":20}; without "d", D overwrites C. Where alpha or beta has an imaginary part, "alpha" and
 * "beta" are real parts, and "imaginary":{"alpha":2,"beta":0} is there beside them: C is there where either part of beta is not 0. What is in the files, `dumpOperands` says. D.npy is dense: m×n, or of a
 * batch in three dimensions. Where entries are complex, `problem` says "entries":"interleaved", and all files are of complex64 or complex128. Keys that a host does not know are to be left alone.
 *
 * Before its first answer a host may say that it is ready, what a report is to state of it, and that it answers pings; the
 * time that it takes until then is no product's. One that can multiply nothing says why, and ends:
 *
 *     {"ready":true,"versions":{"numpy":"2.4.6"},"pings":true}
 *     {"ready":false,"error":"there is no NumPy"}
 *
 * It may also say which version of this protocol it speaks, and what it claims and accepts: the same as its config, in the words of
 * `claim-records.ts`. One that says no version says nothing of itself either, as before there were versions:
 *
 *     {"ready":true,"protocol":2,"claims":{"order":"sequential"},"accepts":{"alpha":true}}
 *
 * A ping stands behind each product that a host of that kind is asked for. It is answered after the product, when the host
 * is back where it waits for the next: what a product leaves behind and what ends the host later is then charged to it.
 *
 *     {"ping":7}
 *     {"pong":7}
 *
 * A product of a list comes with the others of it, their files behind its own, each product's in turn; it is the one that
 * stands `at` so many of them, and the only one that is answered:
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"beside":{"at":1,"products":[{"problem":{…},"a":144,"b":160},…]}}
 *
 * Of coded operands A.npy and B.npy hold elements. What they are multiplied by comes behind the other files of the product, from the
 * smallest blocks to the largest, A's before B's, and behind the factors of each what is subtracted from its elements before:
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"factors":{"a":{"scales":[136]},"b":{"scales":[136],"zeros":136}}}
 *
 * A product that is to be timed comes with "time": how many trials, how many products before them, and after how many
 * seconds no further trial begins. A host with a clock of its own says what each trial took with the operands in place,
 * and whether on a GPU; one that has none answers as ever:
 *
 *     {"id":7,"d":160,"seconds":[0.25,0.26],"gpu":true}
 *
 * Our own programs are told what time it is for a kernel that is not trusted, in milliseconds since 1970 (UTC):
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"clock":1861920000000}
 *
 * They also ask such a kernel for the products of a batch one after the other, each as A·B of dense matrices:
 *
 *     {"id":7,"problem":{…,"batch":512,…},"a":6272,"b":8320,"apart":true}
 *
 * When its input ends, a host is to end.
 */

/** The version of the protocol that is spoken here: another one has other claims, or names them otherwise. */
export const PROTOCOL = 2;

/** The version of what says none. */
export const UNNUMBERED = 1;

/** What is asked, as it travels: without `d` where D overwrites C. */
export type Sent = Omit<Gemm, 'd'> & { readonly d?: Laid };

export function toSent({ d, ...gemm }: Gemm): Sent {
  return d === gemm.c ? gemm : { ...gemm, d };
}

export const fromSent = (sent: Sent): Gemm => ({ ...sent, d: sent.d ?? sent.c });

/** A product, and the bytes of its files. */
export interface Described {
  readonly problem: Sent;
  readonly a: number;
  readonly b: number;
  readonly c?: number | undefined;
  readonly factors?: { readonly [of in Operand]?: Beside<number> | undefined };
}

/** Other products, and how many of them come first. */
export interface Listed<P = Described> {
  readonly at: number;
  readonly products: readonly P[];
}

/** A product that is asked for. */
export interface Request extends Described {
  readonly id: number;
  /** The others of a list. */
  readonly beside?: Listed | undefined;
  /** What our own host asks its kernel for without waiting for this one, or it for them. */
  readonly inFlight?: Listed | undefined;
  /** Where our own host lets it lie. */
  readonly memory?: Memory | undefined;
  readonly time?: Pick<Timing, 'trials' | 'warmUp' | 'most'> | undefined;
  /** What time it is for the kernel. */
  readonly clock?: number | undefined;
  /** Whether its batch is asked for one by one. */
  readonly apart?: boolean | undefined;
}

/** An error as it travels. */
export function written({ message, code, exitCode, blames }: ParanoiaError) {
  return { error: message, failure: { code, exitCode, blames } };
}

/** Bytes up to which copying them together is cheaper than writing them one after the other. */
const SMALL = 2 ** 16;

/** Sends a line of JSON, and files behind it. @param sent called when all is written. */
export function send(to: Sink, line: object, files: readonly NpyFile[] = [], sent?: () => void): void {
  const parts = [Buffer.from(`${JSON.stringify(line)}\n`), ...files.flat()];
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const written = (error?: Error | null) => (error ? undefined : sent?.());
  if (bytes <= SMALL) {
    to.write(Buffer.concat(parts, bytes), written);
    return;
  }
  to.cork();
  const last = parts.pop();
  for (const part of parts) to.write(part);
  if (last !== undefined) to.write(last, written);
  to.uncork();
}

/** The bytes of a file. */
export const sizeOf = ([header, entries]: NpyFile): number => header.length + entries.length;
