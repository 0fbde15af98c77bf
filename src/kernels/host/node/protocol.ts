import type { ParanoiaError } from '../../../base/errors.ts';
import type { DeviceTimingOptions } from '../../../gpu/runner/time.ts';
import type { EpilogueCall } from '../../../matrix/epilogue-call.ts';
import type { Gemm, MatrixLayout } from '../../../matrix/gemm.ts';
import type { Operand } from '../../../precision/coding/coding.ts';
import type { MemoryPlacement } from '../../kernel.ts';
import type { OutputSink } from './inherited.ts';
import type { FactorFiles, NpyFile } from './operand-files.ts';

/**
 * The protocol between this package and a host: a process that computes products for it. Programs use their standard input and output. The
 * package's own host, which runs functions, WGSL and encoders, uses two separate pipes, since its standard output belongs to the kernel.
 * For every product a host gets one line of JSON,
 *
 *     {"id":7,"problem":{"m":2,"k":3,"n":4,"batch":1,"alpha":1,"beta":0,"a":{…},"b":{…},"c":{…}},"a":152,"b":176}
 *
 * followed immediately by the a bytes of A.npy, the b bytes of B.npy and, where beta is not 0 and so "c" is there, the c bytes of C.npy.
 * It answers with one line and the d bytes of D.npy, or with one line alone:
 *
 *     {"id":7,"d":160}
 *     {"id":7,"error":"what went wrong"}
 *
 * `problem` is the requested {@link Gemm}: sizes, factors, and the layout of each matrix, as in
 * {"op":"t","order":"row","ld":5,"offset":3,"stride":20}; without "d", D overwrites C. Where alpha or beta has an imaginary part, "alpha"
 * and "beta" are real parts, beside "imaginary":{"alpha":2,"beta":0}; C is there where either part of beta is not 0. `dumpOperands`
 * documents the contents of the files. D.npy is dense: m×n, or for a batch in three dimensions. Where entries are complex, `problem` says
 * "entries":"interleaved", and all files are of complex64 or complex128. A host must ignore keys that it does not know.
 *
 * Before its first answer a host may send a greeting: that it is ready, its versions for a report, and that it answers pings. The time
 * until then counts for no product. A host that can multiply nothing gives the reason, and ends:
 *
 *     {"ready":true,"versions":{"numpy":"2.4.6"},"pings":true,"apart":true}
 *     {"ready":false,"error":"there is no NumPy"}
 *
 * A greeting may also state the version of this protocol, and claims and accepted products: the same as its config, in the words of
 * `claim-records.ts`. A greeting without a version states neither, as before there were versions:
 *
 *     {"ready":true,"protocol":2,"claims":{"order":"sequential"},"accepts":{"alpha":true}}
 *
 * A host that answers pings gets one behind each product. It answers after the product, when it waits for the next. Work that a product
 * leaves behind, and a later end of the host, are then charged to that product.
 *
 *     {"ping":7}
 *     {"pong":7}
 *
 * A product of a list comes with the others of the list; their files follow its own, product by product. It comes after `at` of them, and
 * only it is answered:
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"beside":{"at":1,"products":[{"problem":{…},"a":144,"b":160},…]}}
 *
 * For coded operands A.npy and B.npy hold elements. Their factors follow the other files of the product, from the smallest blocks to the
 * largest, A's before B's; behind the factors of each follow its zero points, which are subtracted from its elements first:
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"factors":{"a":{"scales":[136]},"b":{"scales":[136],"zeros":136}}}
 *
 * An epilogue comes as its steps. The files of its tensors follow all others, step by step. D is m×n, or m×(n/2) behind a gate:
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"epilogue":[{"step":"bias","values":{"npy":144}},{"step":"relu"}]}
 *
 * A product to be timed comes with "time": the number of trials, the number of products before them, and the seconds after which no
 * further trial begins. A host with a clock of its own answers with the seconds of each trial, with the operands in place, and whether it
 * used a GPU; a host without one answers as usual:
 *
 *     {"id":7,"d":160,"seconds":[0.25,0.26],"gpu":true}
 *
 * Programs of this package get the simulated time for an untrusted kernel, in milliseconds since 1970 (UTC):
 *
 *     {"id":7,"problem":{…},"a":152,"b":176,"clock":1861920000000}
 *
 * A host whose greeting says "apart":true also takes many small products at once. Each is A·B of dense matrices, by a call of its own. The
 * files hold the entries of all products in their order, and so does D.npy; "apart" lists m, k and n of each:
 *
 *     {"id":7,"problem":{…},"a":6272,"b":8320,"apart":[[2,3,4],[5,1,7],…]}
 *
 * A host must end when its input ends.
 */

/** The version of this protocol. Another version has other claims, or other names for them. */
export const PROTOCOL = 2;

/** The version of a greeting that states none. */
export const UNNUMBERED = 1;

/** A product as it is sent: without `d` where D overwrites C. */
export type WireGemm = Omit<Gemm, 'd'> & { readonly d?: MatrixLayout };

export function toWireGemm({ d, ...gemm }: Gemm): WireGemm {
  return d === gemm.c ? gemm : { ...gemm, d };
}

export const fromWireGemm = (sent: WireGemm): Gemm => ({ ...sent, d: sent.d ?? sent.c });

/** A product, and the sizes of its files in bytes. */
export interface DescribedProduct {
  readonly problem: WireGemm;
  readonly a: number;
  readonly b: number;
  readonly c?: number | undefined;
  readonly factors?: { readonly [of in Operand]?: FactorFiles<number> | undefined };
  readonly epilogue?: readonly EpilogueCall[] | undefined;
}

/** Other products, and the number of them that come first. */
export interface WireCallContext<P = DescribedProduct> {
  readonly at: number;
  readonly products: readonly P[];
}

export interface HostRequest extends DescribedProduct {
  readonly id: number;
  /** The other products of a list. */
  readonly beside?: WireCallContext | undefined;
  /** Products in flight with this one in the package's own host: submitted concurrently; only errors are reported. */
  readonly inFlight?: WireCallContext | undefined;
  /** Placement in memory in the package's own host. */
  readonly memory?: MemoryPlacement | undefined;
  readonly time?: Pick<DeviceTimingOptions, 'trials' | 'warmUp' | 'most'> | undefined;
  /** The simulated time of the kernel. */
  readonly clock?: number | undefined;
  /** m, k and n of products that are computed one by one. */
  readonly apart?: readonly WireShape[] | undefined;
}

/** A shape as it is sent: m, k and n. */
export type WireShape = readonly [m: number, k: number, n: number];

/** Converts an error for sending. */
export function encodeError({ message, code, exitCode, blames }: ParanoiaError) {
  return { error: message, failure: { code, exitCode, blames } };
}

/** Messages of up to this many bytes are copied together, which is cheaper than several writes. */
const SMALL = 2 ** 16;

/** Sends a line of JSON, followed by files. @param sent called when all is written. */
export function sendMessage(
  to: OutputSink,
  line: object,
  files: readonly NpyFile[] = [],
  sent?: () => void,
): void {
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

export const fileSizeOf = ([header, entries]: NpyFile): number => header.length + entries.length;
