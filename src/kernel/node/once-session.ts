import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mostBytes } from '../../matrix/npy.ts';
import { problem } from '../../problems.ts';
import { type Asked, noAnswer, noProduct } from '../answer.ts';
import { TIME_LIMIT, within } from '../deadline.ts';
import type { Session } from '../session.ts';
import { reasonOf } from '../thrown.ts';
import type { ProgramKernel } from '../user-kernel.ts';
import { quoted } from './child.ts';
import { atExit } from './cleanup.ts';
import { dumpOperands, parseProduct } from './npy-exchange.ts';
import { askedOf, endedEarly, type ProgramOptions, startProgram } from './program.ts';

/**
 * A program that is started for every product: it reads A.npy and B.npy, writes C.npy and ends with exit code 0. The
 * files lie in a folder of their own, which is removed whatever happens. The time limit and the seconds of a product are
 * those of the whole run of the program.
 */
export function openOnceSession(kernel: ProgramKernel, options: ProgramOptions): Session {
  return {
    async multiply(a, b, call) {
      const asked = askedOf(kernel, call);
      const operands = dumpOperands(a, b, asked, call);
      return inFolder(async (folder) => {
        const [fileA, fileB, fileC] = ['A', 'B', 'C'].map((name) => join(folder, `${name}.npy`));
        await write(fileA, operands.a);
        await write(fileB, operands.b);
        const values = { a: fileA, b: fileB, c: fileC, m: call.m, k: call.k, n: call.n };
        const start = performance.now();
        const lastWords = await run(kernel, filledIn(kernel.program.command, values), asked, options);
        const seconds = (performance.now() - start) / 1000;
        const c = parseProduct(await read(fileC, asked, lastWords), asked);
        return { c, unwritten: 0, guardsTouched: 0, operandsChanged: 0, seconds };
      });
    },
    versions: async () => ({}),
    close: async () => {},
  };
}

/** Runs the program to its end. @returns the last line of its standard error */
async function run(
  kernel: ProgramKernel,
  words: readonly string[],
  asked: Asked,
  options: ProgramOptions,
): Promise<string> {
  const { timeLimit = TIME_LIMIT } = kernel;
  const child = startProgram(kernel, words, false, options);
  try {
    const ending = await within(timeLimit, child.ended, () => noAnswer(asked, timeLimit));
    if (ending.code !== 0) throw endedEarly(kernel, asked, ending, child, options);
    return child.lastWords();
  } finally {
    child.kill();
  }
}

/** The words of a command with the values of `{a}`, `{m}` and so on in them. */
function filledIn(command: readonly string[], values: Readonly<Record<string, string | number>>): string[] {
  return command.map((word) => word.replace(/\{([abcmkn])\}/g, (_, key: string) => String(values[key])));
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gemm-paranoia-')).catch((error: unknown) => {
    throw problem('npy-unwritable', { file: join(tmpdir(), 'A.npy'), why: reasonOf(error) }, error);
  });
  const release = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    release();
  }
}

async function write(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw problem('npy-unwritable', { file, why: reasonOf(error) }, error);
  }
}

/** @throws Problem `kernel-answer` where there is no such file, or one that is too long for a product. */
async function read(file: string, asked: Asked, lastWords: string): Promise<Uint8Array> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) {
    const words = lastWords === '' ? '' : `, and its standard error ends with "${quoted(lastWords)}"`;
    throw noProduct(asked, `it ended without writing C.npy${words}`);
  }
  const { m, n } = asked.shape;
  if (found.size > mostBytes(m * n)) {
    throw noProduct(asked, `its C.npy has ${found.size} bytes, too many for ${m}×${n} entries`);
  }
  return readFile(file);
}
