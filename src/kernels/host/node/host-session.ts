import { ParanoiaError } from '../../../base/errors.ts';
import { createTaskQueue } from '../../../base/task-queue.ts';
import type { Product } from '../../../gpu/runner/product.ts';
import type { DeviceTimingOptions } from '../../../gpu/runner/time.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { type ProductRequest, versionsIn } from '../../answer.ts';
import { type Deadline, Pace, START_UP, startDeadline, TIME_LIMIT, waitWithin } from '../../deadline.ts';
import { gemmOfInput, type KernelSession, type ProductInput, runInSequence } from '../../kernel.ts';
import { kernelHangs, kernelIsSlow, kernelLooksRound } from '../../messages.ts';

import type { SimulatedClockAndPid } from '../../simulated-clock-and-pid.ts';
import { quoteOutput } from './child.ts';
import {
  type Conversation,
  type ConversationOptions,
  type HostReply,
  openConversation,
} from './conversation.ts';
import { HostReserve } from './host-reserve.ts';
import type { KernelSandbox } from './launch.ts';
import type { OperandFiles } from './operand-files.ts';
import * as protocol from './protocol.ts';
import * as replies from './replies.ts';
import type { ProtocolProcess } from './start-program.ts';

export interface HostedKernel extends ConversationOptions {
  readonly name: string;
  readonly timeLimit?: number | undefined;
  /** True if its host always greets first. */
  readonly greets: boolean;
  /** True if its host calls a function, which supports several products in flight and reused memory. */
  readonly isCalled: boolean;
  /** True if its host takes many small products in one request. @defaultValue its greeting decides */
  readonly asksApart?: boolean | undefined;
  /** True if the surroundings of its products are known in advance. @defaultValue false */
  readonly startsAhead?: boolean | undefined;
  /** Seconds that startup may take. @defaultValue 120, or its time limit where that is longer */
  readonly startUp?: number | undefined;
  /** Starts the host. @param surroundings the simulated surroundings of its kernel when it is loaded. */
  start(surroundings?: SimulatedClockAndPid): ProtocolProcess;
  /** Returns the fault of a greeting's statements. @defaultValue none */
  wrong?(greeting: replies.ReadyMessage): ParanoiaError | undefined;
  files(factors: ProductInput): OperandFiles;
  /** Reads D.npy as the product. @throws ParanoiaError `kernel-answer` */
  read(file: Uint8Array, asked: ProductRequest): Matrix;
}

/** Seconds that startup of an untrusted kernel may take. */
export const START_UP_HELD = 60;

/** Returns the options of an untrusted kernel if there is a sandbox. */
export const mannerOf = ({ confinement }: KernelSandbox): Partial<HostedKernel> & { wary?: boolean } =>
  confinement === undefined ? {} : { wary: true, startUp: START_UP_HELD, startsAhead: true };

/** The most consecutive hosts that get extra startup time without a line from any. */
const PATIENCE = 2;

/** Seconds that a host may take to release its resources. */
const FAREWELL = 2;

/**
 * Opens a kernel in a process of its own, so that an endless loop, an exit or a crash counts for the product that caused it. The process
 * starts when it is first needed. After any failure it is ended, and the next product gets a new one, since the failure may have left it
 * broken. A host that says that it can multiply nothing is believed, and no other is started.
 *
 * Until its first line a host may take {@link START_UP} longer than the time limit, unless earlier hosts used that time without a line.
 * The time limit restarts when the operands are sent, and when the answer has come.
 */
export function openHosted(kernel: HostedKernel): KernelSession<ProductInput> {
  const { name, timeLimit = TIME_LIMIT } = kernel;
  const patience = Math.max(kernel.startUp ?? START_UP, timeLimit);
  let host: Conversation | undefined;
  let versions: Readonly<Record<string, string>> | undefined;
  let useless: ParanoiaError | undefined;
  let greeting: replies.Greeting | undefined;
  let silent = 0;
  const pace = new Pace();
  const started = new HostReserve((surroundings) => openConversation(kernel.start(surroundings), kernel));
  const nothing: ProductRequest = { kernel: name, shape: plainGemm({ m: 0, k: 0, n: 0 }) };

  const heard = (found: Conversation) => {
    const said = found.said();
    if (said === undefined) return;
    silent = 0;
    if (said === 'nothing' || said === greeting) return;
    greeting = said;
    if (said.versions !== undefined) versions = versionsIn(said.versions);
    useless = said.ready ? kernel.wrong?.(said) : replies.readError(name, said);
  };

  /** Runs work with a host, which is replaced if the work fails. */
  const visit = async <T>(
    work: (found: Conversation, fresh: boolean) => Promise<T>,
    surroundings?: SimulatedClockAndPid,
  ): Promise<T> => {
    const fresh = host?.alive() !== true;
    let found: Conversation | undefined;
    try {
      if (fresh) {
        silent++;
        host = started.take(surroundings);
      }
      found = host as Conversation;
      return await work(found, fresh);
    } catch (error) {
      // The host did not try a refused product, but still computes a slow one.
      const isIdle = error instanceof ParanoiaError && error.blames === 'nobody';
      if (!isIdle || error.code === kernelIsSlow.code) {
        host?.kill();
        host = undefined;
      }
      throw error;
    } finally {
      if (found !== undefined) heard(found);
    }
  };

  const ask = async (
    factors: ProductInput,
    timing?: DeviceTimingOptions,
  ): Promise<HostReply & { readonly c: Matrix }> => {
    const gemm = gemmOfInput(factors);
    const asked: ProductRequest = { kernel: name, shape: gemm };
    const time = timing && { trials: timing.trials, warmUp: timing.warmUp, most: timing.most };
    const enclosed = (one: ProductInput) => ({
      problem: protocol.toWireGemm(gemmOfInput(one)),
      ...kernel.files(one),
    });
    const listed = (list: ProductInput['beside']) =>
      list && { at: list.before.length, products: [...list.before, ...list.after].map(enclosed) };
    const called = kernel.isCalled && { inFlight: listed(factors.inFlight), memory: factors.memory };
    const { surroundings } = factors;
    const apart = factors.apart?.map(({ m, k, n }): protocol.WireShape => [m, k, n]);
    const told = { time, clock: surroundings?.time, apart };
    const letter = { ...enclosed(factors), ...told, beside: listed(factors.beside), ...called };
    // Each product in flight may wait for the others.
    const products = 1 + (called ? (called.inFlight?.products.length ?? 0) : 0);
    const own = timeLimit * products + (timing?.most ?? 0);
    return visit(async (found, fresh) => {
      let limit: Deadline | undefined;
      const asks = kernel.greets ? 0 : own;
      let allowed = fresh && silent <= PATIENCE ? patience + asks : own;
      const late = new Promise<never>((_, reject) => {
        limit = startDeadline(allowed, () => reject(pace.late(asked, allowed)));
      });
      const onStep = () => {
        heard(found);
        if (found.said() === undefined) return;
        allowed = own;
        limit?.restart(own);
      };
      const answered = async () => {
        if (fresh && kernel.greets) await greeted(found, asked).then(onStep);
        return found.ask(asked, letter, onStep);
      };
      try {
        const reply = await Promise.race([answered(), late]);
        const { saw = [] } = reply.line;
        if (kernel.wary === true && saw.length > 0)
          throw kernelLooksRound({ ...asked, what: quoteOutput(saw.join(' and ')) });
        return { ...reply, c: kernel.read(reply.file, asked) };
      } finally {
        limit?.cancel();
      }
    }, surroundings);
  };

  /** Waits for the greeting, unless it has come. @throws ParanoiaError of a host that can multiply nothing. */
  const greeted = async (found: Conversation, asked: ProductRequest): Promise<void> => {
    if (found.said() === undefined) await found.greeting(asked);
    heard(found);
    if (useless !== undefined) throw useless;
  };

  const multiply = async (
    factors: ProductInput,
    timing?: DeviceTimingOptions,
  ): Promise<[Product, replies.HostAnswer]> => {
    if (useless !== undefined) throw useless;
    const begin = performance.now();
    const { line, c } = await ask(factors, timing).finally(() => {
      if (greeting?.ready === true && useless !== undefined) throw useless;
    });
    const { unwritten = 0, overwritten = 0, changed = 0 } = line;
    const seconds = line.seconds?.[0] ?? (performance.now() - begin) / 1000;
    pace.add(gemmOfInput(factors), seconds);
    return [{ c, unwritten, overwritten, changed: changed ?? undefined, seconds }, line];
  };

  /** Starts the host. @throws ParanoiaError where it cannot be opened; a useless host that states its versions counts as opened. */
  const start = async (): Promise<void> => {
    if (useless !== undefined) throw useless;
    const late = () => kernelHangs({ ...nothing, seconds: patience });
    await visit((found) => waitWithin(patience, greeted(found, nothing), late)).catch((error) => {
      if (versions === undefined) throw error;
    });
  };

  /** Lets the host end by itself, or ends it. */
  const leave = async () => {
    const leaving = host;
    host = undefined;
    if (leaving === undefined) return;
    const late = () => kernelHangs({ ...nothing, seconds: FAREWELL });
    await waitWithin(FAREWELL, leaving.close(), late).catch(() => {});
    leaving.kill();
  };

  const turn = createTaskQueue();
  return {
    isCalled: kernel.isCalled,
    get asksApart() {
      return kernel.asksApart ?? (greeting?.ready === true && greeting.apart === true);
    },
    renew: () => turn(leave),
    ...(kernel.startsAhead === true
      ? { ahead: (one, whoever) => started.begin(one, whoever === true ? 'whoever' : one) }
      : {}),
    run: runInSequence((factors) => turn(async () => (await multiply(factors))[0])),
    async time(factors, timing) {
      const [product, { seconds, gpu }] = await turn(() => multiply(factors, timing));
      return seconds && { clock: 'own', repeats: 1, seconds, onGpu: gpu === true, product };
    },
    async versions() {
      // An untrusted kernel starts with its first product, in that product's surroundings.
      if (kernel.greets && kernel.wary !== true && versions === undefined) await turn(start);
      return versions ?? {};
    },
    close() {
      started.kill();
      return turn(leave);
    },
  };
}
