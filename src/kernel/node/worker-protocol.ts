import { mostBytes } from '../../matrix/npy.ts';
import { problem } from '../../problems.ts';
import { type Asked, noProduct } from '../answer.ts';
import type { OwnTimes } from '../kernel.ts';
import { reasonOf } from '../thrown.ts';
import { versionsIn } from '../versions.ts';
import type { ByteSource } from './byte-source.ts';
import { quoted } from './child.ts';

/**
 * How we speak with a worker, over its standard input and output. For every product it gets one line of JSON,
 *
 *     {"id":1,"m":2,"k":3,"n":4,"a":152,"b":176}
 *
 * and then, without anything between or behind them, the a bytes of A.npy and the b bytes of B.npy. It answers with one
 * line and the c bytes of C.npy, or with one line alone:
 *
 *     {"id":1,"c":160}
 *     {"id":1,"error":"what went wrong"}
 *
 * Before its first answer it may say that it is ready, and what a report is to state of it; the time that it takes until
 * then is no product's:
 *
 *     {"ready":true,"versions":{"numpy":"2.4.6"}}
 *
 * A request may ask for the same product again and again, with "trials", "warmUp" and "most", the seconds after which no
 * further trial begins. A worker that has a clock of its own then says what each trial took with the operands in place,
 * and whether on a GPU; one that has none answers as ever:
 *
 *     {"id":1,"c":160,"seconds":[0.25,0.26],"gpu":true}
 *
 * When its standard input ends, it is to end. Whatever it has to tell people goes to its standard error.
 */
export interface Request {
  readonly id: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** Bytes of A.npy. */
  readonly a: number;
  /** Bytes of B.npy. */
  readonly b: number;
  readonly trials?: number;
  readonly warmUp?: number;
  readonly most?: number;
}

/** An answer. */
export interface Reply {
  /** C.npy */
  readonly bytes: Uint8Array;
  /** What the trials took, where the worker says it. */
  readonly own?: OwnTimes['own'];
}

/** What a worker does instead of answering: it stops speaking. The answer was to come. */
export class Silence extends Error {}

/** What is heard beside the answer. */
export interface Listener {
  /** Called for the first line of all, with the versions of a worker that says it is ready. */
  onFirstLine(ready: boolean, versions: Readonly<Record<string, string>>): void;
}

const LONGEST_LINE = 2 ** 16;
const LONGEST_QUOTE = 60;

type Line = Readonly<Record<string, unknown>>;

/**
 * Reads the answer to a request.
 * @param listener given where no line has been heard yet.
 * @throws Problem `kernel-threw`, `kernel-answer`; {@link Silence}
 */
export async function readReply(
  source: ByteSource,
  id: number,
  asked: Asked,
  listener: Listener | undefined,
): Promise<Reply> {
  let line = await readLine(source, asked);
  if (listener !== undefined) {
    const ready = line.ready === true;
    listener.onFirstLine(ready, ready ? versionsIn(line.versions) : {});
    if (ready) line = await readLine(source, asked);
  }
  if (line.id !== id) throw noProduct(asked, `it answered id ${shown(line.id)} where ${id} was asked`);
  if (line.error !== undefined)
    throw problem('kernel-threw', { kernel: asked.kernel, why: reasonOf(line.error) });
  const bytes = await source.bytes(lengthIn(line, asked));
  if (bytes.length < (line.c as number)) throw new Silence();
  return { bytes, own: ownTimes(line, asked) };
}

/** @throws Problem `kernel-answer` for times that are none. */
function ownTimes({ seconds, gpu }: Line, asked: Asked): OwnTimes['own'] {
  if (seconds === undefined) return undefined;
  const isTime = (x: unknown) => typeof x === 'number' && Number.isFinite(x) && x > 0;
  if (!Array.isArray(seconds) || seconds.length === 0 || !seconds.every(isTime)) {
    throw noProduct(asked, `its line says ${shown(seconds)} where "seconds" is to be a list of times`);
  }
  return { seconds, onGpu: gpu === true };
}

/** @throws Problem `kernel-answer` where something has been written that nobody asked for. */
export function requireSilence(source: ByteSource, asked: Asked, when: string): void {
  const noise = source.unread();
  if (noise.length > 0) {
    throw noProduct(asked, `it wrote "${quote(noise)}" ${when}`);
  }
}

async function readLine(source: ByteSource, asked: Asked): Promise<Line> {
  const text = await source.line(LONGEST_LINE);
  try {
    const line: unknown = JSON.parse(text.toString());
    if (typeof line === 'object' && line !== null) return line as Line;
  } catch (error) {
    if (source.ended()) throw new Silence();
    if (!(error instanceof SyntaxError)) throw error;
  }
  const advice = 'what is not an answer belongs on its standard error';
  throw noProduct(asked, `it wrote "${quote(text)}" where a line of JSON was to come; ${advice}`);
}

/** @throws Problem `kernel-answer` for a length that C.npy cannot have. */
function lengthIn({ c }: Line, asked: Asked): number {
  const { m, n } = asked.shape;
  if (!Number.isInteger(c) || (c as number) < 0) {
    throw noProduct(asked, `its line says ${shown(c)} where "c" is to be the bytes of C.npy`);
  }
  if ((c as number) > mostBytes(m * n)) {
    throw noProduct(asked, `it announces ${c} bytes for C.npy, too many for ${m}×${n} entries`);
  }
  return c as number;
}

const quote = (bytes: Buffer) => quoted(bytes.subarray(0, 4 * LONGEST_QUOTE).toString(), LONGEST_QUOTE);

const shown = (value: unknown) => (value === undefined ? 'no' : quoted(JSON.stringify(value), LONGEST_QUOTE));
