import { randomInt } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { ParanoiaError } from '../../../base/errors.ts';
import { lookUp } from '../../../base/objects.ts';
import { type Gemm, isPlain } from '../../../matrix/gemm.ts';
import { mostBytes } from '../../../matrix/npy.ts';
import { numbersOf } from '../../../precision/complex-operands.ts';
import type { ProductRequest } from '../../answer.ts';
import { waitWithin } from '../../deadline.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelAnswer } from '../../messages.ts';
import { byteSource } from './byte-source.ts';
import { quoteOutput } from './child.ts';
import { filesOf, mapFactorFiles, mapStepFiles, type OperandFiles } from './operand-files.ts';
import type * as protocol from './protocol.ts';
import { fileSizeOf, sendMessage } from './protocol.ts';
import * as replies from './replies.ts';
import type { ProtocolProcess } from './start-program.ts';

export interface ProductWithFiles extends OperandFiles, Pick<protocol.HostRequest, 'problem'> {}

/** A request without its id: the product, and all files. */
export interface RequestBody
  extends ProductWithFiles,
    Pick<protocol.HostRequest, 'time' | 'memory' | 'clock' | 'apart'> {
  readonly beside?: protocol.WireCallContext<ProductWithFiles> | undefined;
  readonly inFlight?: protocol.WireCallContext<ProductWithFiles> | undefined;
}

const described = ({
  problem,
  a,
  b,
  c,
  factors = {},
  epilogue,
}: ProductWithFiles): protocol.DescribedProduct => ({
  ...{ problem, a: fileSizeOf(a), b: fileSizeOf(b) },
  ...(c && { c: fileSizeOf(c) }),
  ...((factors.a ?? factors.b) && { factors: mapFactorFiles(factors, fileSizeOf) }),
  ...(epilogue && {
    epilogue: epilogue.map((step) => mapStepFiles(step, (file) => ({ npy: fileSizeOf(file) }))),
  }),
});

/** An answer: the line, and D.npy. */
export interface HostReply {
  readonly line: replies.HostAnswer;
  readonly file: Uint8Array;
}

export interface Conversation {
  /** Waits for the greeting of this package's own host. @throws ParanoiaError `kernel-answer`, `kernel-died`, `bad-kernel` */
  greeting(asked: ProductRequest): Promise<replies.Greeting>;
  /**
   * Requests one product, and checks that the host outlives it.
   * @param onStep called when the operands are sent, when the host has said that it is ready, and when the answer has come.
   * @throws ParanoiaError `kernel-threw`, `kernel-answer`, `kernel-died`, `bad-kernel`, or an error that this package's own host reports.
   * The host must not be used again.
   */
  ask(asked: ProductRequest, letter: RequestBody, onStep: () => void): Promise<HostReply>;
  /** Returns the greeting before the first answer; undefined where no line has been read yet. */
  said(): replies.Greeting | 'nothing' | undefined;
  /** True if any of its output has arrived, read or not. */
  hasSpoken(): boolean;
  /** True if the host accepts requests. */
  alive(): boolean;
  kill(): void;
  /** Tells the host to end; settles when it has. */
  close(): Promise<void>;
}

/** The end of a host's output in place of an answer. */
class Silence extends Error {}

type Line = Readonly<Record<string, unknown>>;

const LONGEST_LINE = 2 ** 16;
const LONGEST_QUOTE = 60;
/** Seconds between the end of a process's output and that of the process. */
const LAST_BREATH = 2;
/** Milliseconds for which a program without pings must outlive its answer. */
const OUTLIVES = 10;
/** Milliseconds after which data that a process has read is known to be read. */
const UNREAD = 500;

export interface ConversationOptions {
  /**
   * True if the kernel is untrusted. Its host is then not believed about the blame for errors, not even this package's own, in whose
   * process the kernel runs. Ids are random, so that an answer cannot be given before its request.
   * @defaultValue false
   */
  readonly wary?: boolean | undefined;
}

/** Upper limit of the ids for an untrusted host. */
const IDS = 2 ** 47;

export function openConversation(
  host: ProtocolProcess,
  { wary = false }: ConversationOptions = {},
): Conversation {
  // If the system is out of file descriptors, an unstarted process has no pipes, and has ended.
  const {
    input = new PassThrough(),
    output = Readable.from([]),
    outlives = OUTLIVES,
  } = host as Partial<ProtocolProcess>;
  const source = byteSource(output);
  let said: replies.Greeting | 'nothing' | undefined;
  /** True for this package's own host, whose answers wait for work that a product leaves behind. */
  let ours = false;
  let id = 0;
  let killed = false;

  const hear = async (asked: ProductRequest): Promise<Line> => {
    const text = await source.line(LONGEST_LINE);
    const line = parsed(text);
    // A program does not decide who is blamed for its errors.
    if (line !== undefined) return ours && !wary ? line : { ...line, failure: accusation(line) };
    if (source.ended()) throw new Silence();
    const advice = 'Write everything but answers to standard error';
    throw kernelAnswer({
      ...asked,
      why: `it wrote "${quote(text)}", expected a line of JSON. ${advice}`,
    });
  };

  /** Reads the next line, and before the first answer the greeting, if any. */
  const hearAnswer = async (asked: ProductRequest, onStep: () => void): Promise<Line> => {
    const line = await hear(asked);
    if (said !== undefined || typeof line.ready !== 'boolean') {
      said ??= 'nothing';
      return line;
    }
    said = greetingIn(line, asked);
    onStep();
    return said.ready ? hear(asked) : { ...said, id };
  };

  const answerTo = async (asked: ProductRequest, onStep: () => void): Promise<HostReply> => {
    const line = await hearAnswer(asked, onStep);
    if (line.id !== id)
      throw kernelAnswer({ ...asked, why: `the id of its answer is ${shown(line.id)}, expected ${id}` });
    if (line.error !== undefined) {
      const told = decoded(replies.apology, line, asked);
      const error = `${describeThrown(told.error)}${adviceOn(asked.shape)}`;
      throw replies.readError(asked.kernel, ours ? told : { ...told, error });
    }
    const answer = decoded(replies.answer, line, asked);
    const { m, n, batch } = asked.shape;
    if (answer.d > mostBytes(numbersOf(asked.shape) * batch * m * n)) {
      throw kernelAnswer({
        ...asked,
        why: `it announces ${answer.d} bytes for D.npy, too many for ${batch === 1 ? '' : `${batch}×`}${m}×${n} entries`,
      });
    }
    const file = await source.bytes(answer.d);
    if (file.length < answer.d) throw new Silence();
    return { line: answer, file };
  };

  const requireSilence = (asked: ProductRequest, when: string) => {
    const noise = source.unread();
    if (noise.length > 0) throw kernelAnswer({ ...asked, why: `it wrote "${quote(noise)}" ${when}` });
  };

  const pings = () => said !== undefined && said !== 'nothing' && said.ready && said.pings === true;
  const ping = () => sendMessage(input, { ping: id });

  /** Waits until the host is ready again after its answer, where it supports pings. */
  const settled = async (asked: ProductRequest, pinged: boolean): Promise<void> => {
    if (pings()) {
      // The first ping waits for the greeting that announces pings.
      if (!pinged) ping();
      const line = await hear(asked);
      if (line.pong !== id) {
        throw kernelAnswer({
          ...asked,
          why: `it wrote "${quoteOutput(JSON.stringify(line), LONGEST_QUOTE)}" after its answer`,
        });
      }
    } else if (!ours) {
      // Output written together with the answer arrives with it; a process that ends at once was ended by its product.
      const answered = new AbortController();
      await Promise.race([
        host.ended,
        setTimeout(outlives, undefined, { signal: answered.signal }).catch(() => {}),
      ]);
      answered.abort();
      if (host.ending() !== undefined || source.ended()) throw new Silence();
    }
    requireSilence(asked, 'after its answer');
    // A host reads a ping after all operands. Without pings, this side may not know yet what was read.
    for (const start = performance.now(); !pings() && input.writableLength > 0; await setImmediate()) {
      if (performance.now() - start > UNREAD)
        throw kernelAnswer({ ...asked, why: 'it answered before it read its operands' });
    }
  };

  /** Describes a host that stopped its output: an ending process closes its output first. */
  const afterSilence = async (asked: ProductRequest): Promise<never> => {
    const goesOn = () =>
      kernelAnswer({ ...asked, why: 'it closed its output before it answered, and kept running' });
    throw host.died(asked, await waitWithin(LAST_BREATH, host.ended, goesOn));
  };

  /** Believes an untrusted host only where it blames its own kernel. */
  const accusation = ({ failure }: Line): unknown =>
    ours && wary && isOfKernel(failure) ? failure : undefined;

  const listening = async <T>(asked: ProductRequest, listen: () => Promise<T>): Promise<T> => {
    try {
      return await listen();
    } catch (error) {
      return error instanceof Silence ? await afterSilence(asked) : Promise.reject(error);
    }
  };

  return {
    greeting: (asked) =>
      listening(asked, async () => {
        ours = true;
        said = greetingIn(await hear(asked), asked);
        return said;
      }),
    ask: (asked, { beside, inFlight, memory, time, clock, apart, ...own }, onStep) =>
      listening(asked, async () => {
        id = wary ? randomInt(1, IDS) : id + 1;
        if (said !== undefined) requireSilence(asked, 'before it was asked');
        const pinged = pings();
        const listed = (list: RequestBody['beside']) =>
          list && { ...list, products: list.products.map(described) };
        const others = { beside: listed(beside), inFlight: listed(inFlight) };
        const request: protocol.HostRequest = {
          id,
          ...described(own),
          ...others,
          memory,
          time,
          clock,
          apart,
        };
        const all = [own, ...(beside?.products ?? []), ...(inFlight?.products ?? [])];
        sendMessage(input, request, all.flatMap(filesOf), onStep);
        if (pinged) ping();
        const answer = await answerTo(asked, onStep).catch(refusal);
        onStep();
        await settled(asked, pinged);
        if (answer instanceof ParanoiaError) throw answer;
        return answer;
      }),
    said: () => said,
    hasSpoken: () => said !== undefined || source.unread().length > 0,
    alive: () => !killed && host.ending() === undefined,
    kill() {
      killed = true;
      host.kill();
    },
    async close() {
      input.end();
      await host.ended;
    },
  };
}

const isOfKernel = (failure: unknown): boolean =>
  typeof failure === 'object' && failure !== null && 'blames' in failure && failure.blames === 'kernel';

/** Returns an error that does not blame the host, which stays in use; throws any other. */
function refusal(error: unknown): ParanoiaError {
  if (error instanceof ParanoiaError && error.blames === 'nobody') return error;
  throw error;
}

function greetingIn(line: Line, asked: ProductRequest): replies.Greeting {
  return line.ready === false ? decoded(replies.useless, line, asked) : decoded(replies.ready, line, asked);
}

/** Decodes a line by a schema. @throws ParanoiaError `kernel-answer` that says what is wrong with it. */
function decoded<T>(schema: z.ZodMiniType<T>, line: Line, asked: ProductRequest): T {
  const { data, error } = schema.safeParse(line);
  if (error === undefined) return data as T;
  const [{ path, message }] = error.issues;
  const key = String(path[0]);
  throw kernelAnswer({
    ...asked,
    why: `"${key}" of its line is ${shown(lookUp(line, key))}, expected ${message}`,
  });
}

function parsed(text: Buffer): Line | undefined {
  try {
    const line: unknown = JSON.parse(text.toString());
    return typeof line === 'object' && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns advice for a worker that reports an error, as sentences; empty where there is none. */
function adviceOn(gemm: Gemm): string {
  if (isPlain(gemm)) return '';
  return '. A file of one dimension is the memory of a matrix, as "problem" describes. If it cannot read this, reduce its "accepts"';
}

const quote = (bytes: Buffer) => quoteOutput(bytes.subarray(0, 4 * LONGEST_QUOTE).toString(), LONGEST_QUOTE);

const shown = (value: unknown) =>
  value === undefined ? 'missing' : quoteOutput(JSON.stringify(value), LONGEST_QUOTE);
