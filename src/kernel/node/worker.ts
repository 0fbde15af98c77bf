import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Problem } from '../../problems.ts';
import { type Asked, noProduct } from '../answer.ts';
import type { ProgramKernel } from '../user-kernel.ts';
import { byteSource } from './byte-source.ts';
import { endedEarly, type ProgramOptions, startProgram } from './program.ts';
import {
  type Listener,
  type Reply,
  type Request,
  readReply,
  requireSilence,
  Silence,
} from './worker-protocol.ts';

/** A worker that runs. */
export interface Worker {
  /**
   * Asks for one product, or for the same one again and again.
   * @throws Problem `kernel-threw`, after which it can be asked again; `kernel-answer`, `kernel-died`, `bad-kernel`.
   */
  ask(
    asked: Asked,
    operands: { readonly a: Uint8Array; readonly b: Uint8Array },
    timing?: Pick<Request, 'trials' | 'warmUp' | 'most'>,
  ): Promise<Reply>;
  /** Whether it can be asked. */
  alive(): boolean;
  kill(): void;
  /** Tells it to end, and sees that it does. */
  close(): Promise<void>;
}

/** Milliseconds between the end of what a process says and that of the process. */
const LAST_BREATH = 500;
/** Milliseconds that a worker may take to end when it is told to. */
const FAREWELL = 1000;

/** @param onFirstLine see {@link Listener} */
export function startWorker(
  kernel: ProgramKernel,
  options: ProgramOptions,
  onFirstLine: Listener['onFirstLine'],
): Worker {
  const running = startProgram(kernel, kernel.program.command, true, options);
  const { stdin, stdout } = running.process;
  if (stdin === null || stdout === null) throw new Error('A worker is started with pipes.');
  const source = byteSource(stdout);
  let listener: Listener | undefined = {
    onFirstLine(...heard) {
      listener = undefined;
      onFirstLine(...heard);
    },
  };
  let id = 0;
  let killed = false;
  const kill = () => {
    killed = true;
    running.kill();
  };

  /** Why it stopped speaking: a process that ends closes its output first. */
  const afterSilence = async (asked: Asked): Promise<Problem> => {
    const ending = await Promise.race([running.ended, setTimeout(LAST_BREATH, undefined, { ref: false })]);
    if (ending !== undefined) return endedEarly(kernel, asked, ending, running, options);
    return noProduct(asked, 'it closed its standard output before it had answered, and went on running');
  };

  return {
    async ask(asked, { a, b }, timing) {
      const request: Request = { id: ++id, ...asked.shape, a: a.length, b: b.length, ...timing };
      running.hold(true);
      try {
        if (id > 1) requireSilence(source, asked, 'before it was asked');
        stdin.write(`${JSON.stringify(request)}\n`);
        stdin.write(a);
        stdin.write(b);
        const reply = await readReply(source, id, asked, listener);
        // What was written together with the answer arrives together with it.
        await setImmediate();
        requireSilence(source, asked, 'after its answer');
        if (stdin.writableLength > 0) throw noProduct(asked, 'it answered before it had read A and B');
        return reply;
      } catch (error) {
        // It would take the rest of A and B for the next request.
        if (stdin.writableLength > 0) kill();
        throw error instanceof Silence ? await afterSilence(asked) : error;
      } finally {
        running.hold(false);
      }
    },
    alive: () => !killed && running.ending() === undefined && running.process.exitCode === null,
    kill,
    async close() {
      stdin.end();
      running.hold(true);
      await Promise.race([running.ended, setTimeout(FAREWELL, undefined, { ref: false })]);
      running.kill();
      await running.ended;
    },
  };
}
