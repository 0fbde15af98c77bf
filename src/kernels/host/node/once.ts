import { constants, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookUp } from '../../../base/objects.ts';
import { type Features, features } from '../../../matrix/features.ts';
import { npyUnwritable } from '../../../matrix/messages.ts';
import { mostBytes } from '../../../matrix/npy.ts';
import { numbersOf } from '../../../precision/complex-operands.ts';
import { badKernel } from '../../../precision/messages.ts';
import type { Precision } from '../../../precision/precision.ts';
import { type PrivateFolder, privateFolder } from '../../../sandbox/node/private-folder.ts';
import { type ProductRequest, type TypedProductRequest, toStoredFormat } from '../../answer.ts';
import { acceptsOf } from '../../check-kernel.ts';
import { Pace, TIME_LIMIT, waitWithin } from '../../deadline.ts';
import { gemmOfInput, type KernelSession, type ProductInput, runInSequence } from '../../kernel.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelAnswer } from '../../messages.ts';

import type { ProgramKernel } from '../../user-kernel.ts';
import { type OutputRelay, quoteOutput } from './child.ts';
import { dumpOperands, type NpyFile, parseProduct } from './operand-files.ts';
import { makeOutputReceiver, type ProgramOptions, startProgram } from './start-program.ts';

/**
 * Opens a program that is started for every product: it reads A.npy and B.npy, writes C.npy and ends with exit code 0. The files lie in a
 * folder of their own, which is removed in any case. The time limit and the seconds of a product cover the whole run of the program.
 * @throws ParanoiaError `bad-kernel` for a command without the places of A, B and C, and for one that accepts features it cannot be told.
 */
export function openOnce(
  kernel: ProgramKernel,
  options: ProgramOptions,
  precision: Precision,
): KernelSession<ProductInput> {
  const { name, program } = kernel;
  requirePlaces(kernel);
  requirePlain(kernel);
  requireNumbers(name, precision);
  const printed = makeOutputReceiver(kernel, options);
  const pace = new Pace();
  return {
    // Every product has its own process.
    renew: async () => {},
    run: runInSequence(async (factors) => {
      const asked: TypedProductRequest = { kernel: name, precision, shape: gemmOfInput(factors) };
      const operands = dumpOperands(factors, precision);
      return inFolder(async (folder) => {
        const [fileA, fileB, fileC] = ['A', 'B', 'C'].map((name) => join(folder, `${name}.npy`));
        await write(fileA, operands.a);
        await write(fileB, operands.b);
        const start = performance.now();
        const { m, k, n } = asked.shape;
        const words = filledIn(program.command, { m, k, n, a: fileA, b: fileB, c: fileC });
        const lastWords = await run(kernel, words, asked, { ...options, folder, printed, pace });
        const seconds = (performance.now() - start) / 1000;
        pace.add(asked.shape, seconds);
        const file = parseProduct(
          await read(fileC, asked, lastWords, options.confinement === undefined),
          asked,
          'its C.npy',
        );
        return { c: toStoredFormat(file.data, asked), unwritten: 0, overwritten: 0, changed: 0, seconds };
      });
    }),
  };
}

/** Refuses precisions whose operands are more than one matrix each. @throws ParanoiaError `bad-kernel` */
function requireNumbers(name: string, { name: precision, coded }: Precision): void {
  if (coded === undefined) return;
  const why = `its program starts for every product with A and B alone, but ${precision} also has factors of blocks. Give it the mode "worker"`;
  throw badKernel({ kernel: `"${name}"`, why });
}

/** Requires the places of A, B and C in a command. @throws ParanoiaError `bad-kernel` */
function requirePlaces({ name, program }: ProgramKernel): void {
  const missing = ['{a}', '{b}', '{c}'].filter(
    (place) => !program.command.some((word) => word.includes(place)),
  );
  if (missing.length === 0) return;
  const why = `its command lacks ${missing.join(' and ')}, the places of the paths of .npy files`;
  throw badKernel({ kernel: `"${name}"`, why });
}

/** Features possible for a program that gets only m, k and n: files give the order of their entries. */
const TOLD: readonly (keyof Features)[] = ['transposed', 'columns', 'empty'];

/** Refuses a program that accepts features it cannot be told. @throws ParanoiaError `bad-kernel` */
function requirePlain(kernel: ProgramKernel): void {
  const accepts = acceptsOf(kernel);
  const [beyond] = features.filter(({ key }) => accepts[key] === true && !TOLD.includes(key));
  if (beyond === undefined) return;
  const why = `its program starts for every product with m, k and n alone, so it cannot accept ${beyond.what}. Give it the mode "worker", or accept at most ${TOLD.join(', ')}`;
  throw badKernel({ kernel: `"${kernel.name}"`, why });
}

/** Runs the program to its end. @returns the last line of its standard error */
async function run(
  kernel: ProgramKernel,
  words: readonly string[],
  asked: ProductRequest,
  {
    folder,
    printed,
    pace,
    ...options
  }: ProgramOptions & { folder: string; printed: OutputRelay | undefined; pace: Pace },
): Promise<string> {
  const { timeLimit = TIME_LIMIT } = kernel;
  const child = startProgram(kernel, words, options, folder, printed);
  try {
    const ending = await waitWithin(timeLimit, child.ended, () => pace.late(asked, timeLimit));
    if (ending.code !== 0) throw child.died(asked, ending);
    return child.lastWords();
  } finally {
    child.kill();
  }
}

/** Fills in the values of `{a}`, `{m}` and so on in the words of a command. */
function filledIn(command: readonly string[], values: Readonly<Record<string, string | number>>): string[] {
  return command.map((word) =>
    word.replace(/\{([abcmkn])\}/g, (_, key: string) => String(lookUp(values, key))),
  );
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = made();
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}

function made(): PrivateFolder {
  try {
    return privateFolder();
  } catch (error) {
    throw npyUnwritable({ file: join(tmpdir(), 'A.npy'), why: describeThrown(error) }, error);
  }
}

async function write(file: string, bytes: NpyFile): Promise<void> {
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw npyUnwritable({ file, why: describeThrown(error) }, error);
  }
}

/**
 * Reads a file that a program wrote.
 * @param follows true if it may be a link: for an untrusted program, it could lead to a file of the user.
 * @throws ParanoiaError `kernel-answer` where there is no such file, or one that is too long for a product.
 */
async function read(
  file: string,
  asked: ProductRequest,
  lastWords: string,
  follows: boolean,
): Promise<Uint8Array> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const found = await open(file, O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)).catch(() => undefined);
  try {
    const about = await found?.stat();
    if (found === undefined || about?.isFile() !== true) {
      const words = lastWords === '' ? '' : `, and its standard error ends with "${quoteOutput(lastWords)}"`;
      throw kernelAnswer({ ...asked, why: `it ended without writing C.npy${words}` });
    }
    const { m, n } = asked.shape;
    if (about.size > mostBytes(numbersOf(asked.shape) * m * n)) {
      throw kernelAnswer({
        ...asked,
        why: `its C.npy has ${about.size} bytes, too many for ${m}×${n} entries`,
      });
    }
    return await found.readFile();
  } finally {
    await found?.close();
  }
}
