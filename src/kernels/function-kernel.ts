import type { ParanoiaError } from '../base/errors.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import { type Entries, entriesChanged, wordsOf } from '../matrix/operands.ts';
import { changedOf, type LaidOperands, layOutAll } from '../precision/laid-operands.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { type Asked, type AskedIn, readAnswer, versionsIn } from './answer.ts';
import { START_UP, TIME_LIMIT, within } from './deadline.ts';
import { type Factors, gemmOf, listOf, oneByOne, type Session } from './kernel.ts';
import { kernelAnswer, kernelHangs } from './messages.ts';
import { blaming, thrownBy } from './thrown.ts';
import type { FunctionKernel } from './user-kernel.ts';

/**
 * Opens a kernel that is a function, in this process. It gets copies of A, B and C laid out as asked for; what it
 * changes beside D, padding included, is counted. Its `prepare` is called before the first product: where it fails,
 * every product fails with the same problem. After a product that failed it is released and prepared again: what it keeps
 * elsewhere, as in variables of its module, stays as it is, which only a process of its own would end.
 *
 * The time limit ends the waiting for a promise. A function that does not return cannot be stopped from within its own
 * process: where that matters, open it in another one.
 */
export function openFunctionKernel(kernel: FunctionKernel): Session<Factors> {
  const { name, timeLimit = TIME_LIMIT } = kernel;
  let preparing: Promise<void> | undefined;
  let late: ParanoiaError | undefined;
  const prepared = () => {
    preparing ??= blaming(name, () => kernel.prepare?.());
    return preparing;
  };
  let isReady = false;
  /** Whether a product failed since it was prepared. */
  let hasFailed = false;
  /** The memory of the last product that others are to lie in. */
  let memory: LaidOperands | undefined;
  const renew = async () => {
    if (!isReady) return;
    await released();
    [isReady, hasFailed, memory, preparing] = [false, false, undefined, undefined];
  };
  const ready = async (asked: Asked) => {
    if (late !== undefined) throw late;
    if (hasFailed) await renew();
    if (isReady) return;
    const seconds = Math.max(START_UP, timeLimit);
    await within(seconds, prepared(), () => {
      late = kernelHangs({ ...asked, seconds });
      return late;
    });
    isReady = true;
  };
  /** Where there is no promise, there is nothing to wait for. */
  const answerOf = async (work: () => unknown, asked: Asked): Promise<unknown> => {
    try {
      const answer = work();
      if (typeof (answer as PromiseLike<unknown> | undefined)?.then !== 'function') return answer;
      return await within(timeLimit, Promise.resolve(answer), () =>
        kernelHangs({ ...asked, seconds: timeLimit }),
      );
    } catch (error) {
      throw thrownBy(name, error);
    }
  };
  /** One product, started at once. */
  const multiply = async (factors: Factors, all: readonly Given[]): Promise<Product> => {
    const at = listOf(factors).indexOf(factors);
    const { asked } = all[at];
    const start = performance.now();
    const answer = await answerOf(() => multiplyAll(kernel, all), asked);
    const seconds = (performance.now() - start) / 1000;
    const answers = all.length === 1 ? [answer] : answersIn(answer, all.length, asked);
    const left = all.map(({ asked, given, before }, at) => ({
      ...readAnswer(answers[at], asked, given.d),
      changed: changedOf(before, given),
    }));
    const sum = (of: 'unwritten' | 'overwritten' | 'changed') => left.reduce((all, one) => all + one[of], 0);
    return {
      ...{ c: left[at].c, seconds },
      ...{ unwritten: sum('unwritten'), overwritten: sum('overwritten'), changed: sum('changed') },
    };
  };
  const ended = (shape: string, work: () => unknown) =>
    within(timeLimit, blaming(name, work), () => kernelHangs({ kernel: name, shape, seconds: timeLimit }));
  /** What was multiplied is judged already: a release that fails changes none of it. */
  const released = () => ended('its release', () => kernel.release?.()).catch(() => {});
  return {
    run: oneByOne(async (factors) => {
      const { before = [], after = [] } = factors.inFlight ?? {};
      const about = { kernel: name, precision: precisions.find(kernel.precision ?? 'f32') };
      const flight = [...before, factors, ...after].map((one) => ({
        factors: one,
        all: listOf(one).map((product) => givenTo(product, about, memory)),
      }));
      const { all } = flight[before.length];
      if (factors.memory === 'again') memory = all[0].given;
      await ready(all[0].asked);
      try {
        const products = await Promise.all(flight.map(({ factors, all }) => multiply(factors, all)));
        return products[before.length];
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
    isCalled: true,
    renew,
    start: prepared,
    async versions() {
      return versionsIn(await ended('its versions', () => kernel.versions?.()));
    },
    async close() {
      if (preparing !== undefined) await released();
    },
  };
}

/** A product as the function gets it, and what its operands are compared with afterwards. */
interface Given {
  readonly asked: AskedIn;
  readonly given: LaidOperands;
  readonly before: LaidOperands;
}

function givenTo(
  factors: Factors,
  about: Pick<AskedIn, 'kernel' | 'precision'>,
  memory: LaidOperands | undefined,
): Given {
  const gemm = gemmOf(factors);
  const own = united(laidAs(factors, gemm, about.precision));
  const given = factors.memory === 'again' && memory !== undefined ? laidIn(memory, own) : own;
  return { asked: { ...about, shape: gemm }, given, before: keptOf(given, factors.operands, gemm) };
}

/** Entries before the first of memory and behind the last, of which operands are a view. */
const AROUND = 12;

function laidAs({ operands, memory }: Factors, gemm: Gemm, precision: Precision): LaidOperands {
  const isStrewn = memory === 'strewn';
  const laid = layOutAll(operands, gemm, precision, isStrewn ? 'numbers' : 'nan');
  return isStrewn ? inViews(laid) : laid;
}

/** The same entries as views of larger memory. */
function inViews(operands: LaidOperands): LaidOperands {
  const moved = (entries: Entries): Entries => {
    const all = new (entries.constructor as Float32ArrayConstructor)(entries.length + 2 * AROUND) as Entries;
    all.fill(Number.NaN);
    const view = all.subarray(AROUND, AROUND + entries.length) as Entries;
    // Copied as words, for poison is a NaN of its own bits.
    wordsOf(view).set(wordsOf(entries));
    return view;
  };
  const c = moved(operands.c);
  return {
    a: moved(operands.a),
    b: moved(operands.b),
    ...{ c, d: operands.c === operands.d ? c : moved(operands.d) },
  };
}

/** A and B that are the same, bit for bit, are one array, as whoever multiplies a matrix by its transpose gives it. */
function united(operands: LaidOperands): LaidOperands {
  const { a, b } = operands;
  return a.length > 1 && a.length === b.length && entriesChanged(a, b) === 0
    ? { ...operands, b: a }
    : operands;
}

/** Operands in the memory of others, where they are of its lengths; else where they are. */
function laidIn(memory: LaidOperands, own: LaidOperands): LaidOperands {
  const names = ['a', 'b', 'c', 'd'] as const;
  const fits = names.every((name) => memory[name].length === own[name].length);
  const isAlike =
    (memory.c === memory.d) === (own.c === own.d) && (memory.a === memory.b) === (own.a === own.b);
  if (!fits || !isAlike) return own;
  for (const name of names) memory[name].set(own[name]);
  return memory;
}

/** One product as `multiply` computes it, several as `multiplyGroup` does. */
function multiplyAll(kernel: FunctionKernel, all: readonly Given[]): unknown {
  const products = all.map(({ asked, given }) => ({ ...given, gemm: toldOf(asked.shape) }));
  if (products.length > 1) return kernel.multiplyGroup?.(products);
  const [{ a, b, gemm, c, d }] = products;
  return kernel.multiply(a, b, gemm, c, d);
}

/** @throws ParanoiaError `kernel-answer` for anything but a list of so many. */
function answersIn(answer: unknown, count: number, asked: AskedIn): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  const found = Array.isArray(answer) ? `a list of ${answer.length}` : `no list`;
  throw kernelAnswer({
    ...asked,
    why: `its multiplyGroup returned ${found}, where ${count} products were asked`,
  });
}

/** What operands are compared with afterwards: their own entries, where the copy that was given away is of the same bits. */
function keptOf(given: LaidOperands, { a, b }: Stacked, gemm: Gemm): LaidOperands {
  const kept = (mine: Entries, { data }: Matrix) =>
    isPlain(gemm) && readsFactors(gemm) && data.constructor === mine.constructor
      ? (data as Entries)
      : mine.slice();
  const { c, d } = given;
  return { a: kept(given.a, a), b: kept(given.b, b), c: c === d ? c : c.slice(), d };
}

/** A copy of what is asked, for the kernel to keep. */
function toldOf(gemm: Gemm): Gemm {
  const [a, b, c] = [{ ...gemm.a }, { ...gemm.b }, { ...gemm.c }];
  const { group = 1 } = gemm;
  return { ...gemm, group, a, b, c, d: gemm.c === gemm.d ? c : { ...gemm.d } };
}
