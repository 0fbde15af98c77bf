import { ParanoiaError } from '../../../base/errors.ts';
import { lockRealm, replaces, watchRealm } from '../../../base/node/lock-realm.ts';
import { type Product, productOf } from '../../../gpu/runner/product.ts';
import type { Quantised } from '../../../matrix/coded.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { npyParts, parseNpy } from '../../../matrix/npy.ts';
import { badKernel } from '../../../precision/messages.ts';
import type { Factors, Session } from '../../kernel.ts';
import { reasonOf, thrownBy } from '../../thrown.ts';
import { productsApart } from './apart.ts';
import { byteSource } from './byte-source.ts';
import { inherited } from './inherited.ts';
import { lookOut } from './looks.ts';
import type { Beside } from './operand-files.ts';
import { type Described, fromSent, type Listed, type Request, send, sizeOf, written } from './protocol.ts';
import type { Answer } from './replies.ts';
import { shiftableClock } from './shiftable-clock.ts';
import { stillness } from './stillness.ts';

/**
 * The process that one kernel runs in, if it is a function, WGSL or an encoder. It speaks as the protocol says, over file
 * descriptors 3 and 4: its standard output is the kernel's. Its answers wait for what a product leaves behind, and need no
 * ping behind them. It ends with its input. What ours computes with is as it was before the kernel was loaded, after each product too.
 *
 * Where the kernel is not trusted, it is fixed, answers are written at once by what was taken before, and nothing in sight tells who asks.
 */

interface About {
  readonly name: string;
  readonly module: string;
  readonly args: unknown;
  readonly wary?: boolean;
  /** What time it is for the kernel, where it is not to know the true one, in milliseconds since 1970. */
  readonly clock?: number;
}

/** What our locators give: a session, and what its kernel says of itself. */
interface Located extends Session<Factors> {
  readonly about?: unknown;
}

const [about] = process.argv.splice(2);
const { name, module, args, wary = false, clock: time }: About = JSON.parse(about);
/** Tells the kernel another time; undefined where it knows the true one. */
let clock: ((time: number) => void) | undefined;
/** What the kernel has looked at, where that is watched. */
let seen: () => readonly string[] = () => [];
const source = byteSource(inherited.readable(3));
const output = wary ? inherited.direct(4) : inherited.writable(4);

process.on('uncaughtException', (error) => {
  process.stderr.write(`an error that nothing caught: ${reasonOf(error)}\n`);
  process.exit(1);
});

const session = await opened();
/** Names what a trusted kernel replaced; of another, all is fixed. */
const replaced = wary ? () => undefined : watchRealm();
const still = stillness();

// Reading goes on while a product is computed, so that the end of the input is heard of.
let last: Promise<void> = Promise.resolve();
for (;;) {
  const line = await source.line(Number.MAX_SAFE_INTEGER);
  if (line.length === 0) break;
  const asked: Request = JSON.parse(line.toString());
  const all = [asked, ...(asked.beside?.products ?? []), ...(asked.inFlight?.products ?? [])];
  const received: Factors[] = [];
  for (const one of all) received.push(await factorsOf(one));
  last = last.then(() => multiply(asked, received));
}
await session.close?.().catch(() => {});
process.exit();

/** Opens the kernel and makes it ready. Whatever is wrong is said, and is the end of this process. */
async function opened(): Promise<Located> {
  let versions: Readonly<Record<string, string>> | undefined;
  try {
    const found = await located();
    versions = (await found.versions?.().catch(() => undefined)) ?? {};
    await found.start?.();
    send(output, { ready: true, versions, about: found.about });
    return found;
  } catch (error) {
    send(output, { ready: false, ...told(error), versions });
    output.end(() => process.exit());
    return new Promise(() => {});
  }
}

async function located(): Promise<Located> {
  const { locate }: { locate(args: unknown): Promise<Located> } = await import(module);
  // Whose program this is, no product depends on.
  process.argv.splice(1);
  if (wary) await conceal();
  try {
    return await locate(args);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    throw badKernel({ kernel: `"${name}"`, why: `opening it fails: ${reasonOf(error)}` }, error);
  }
}

/** What is behind this line is the kernel's: it sees an ordinary process. */
async function conceal(): Promise<void> {
  if (time !== undefined) clock = await shiftableClock(time);
  seen = lookOut();
  lockRealm();
  process.title = 'node';
}

async function matrixOf(bytes: number): Promise<Matrix> {
  return parseNpy(await source.bytes(bytes), 'an operand');
}

async function factorsOf({ problem, a, b, c, factors = {} }: Described): Promise<Factors> {
  const operands = { a: await matrixOf(a), b: await matrixOf(b), c: c === undefined ? c : await matrixOf(c) };
  const coded = {
    a: factors.a && (await codesOf(operands.a, factors.a)),
    b: factors.b && (await codesOf(operands.b, factors.b)),
  };
  return { operands: { ...operands, coded }, gemm: fromSent(problem) };
}

/** What the numbers themselves are, nobody asks here. */
async function codesOf(elements: Matrix, { scales, zeros }: Beside<number>): Promise<Quantised> {
  const factors: Matrix[] = [];
  for (const bytes of scales) factors.push(await matrixOf(bytes));
  const subtracted = zeros === undefined ? {} : { zeros: await matrixOf(zeros) };
  return { coded: { elements, scales: factors, ...subtracted }, decoded: elements };
}

/** Other products of a request, whose files begin at a place. */
function othersIn(list: Listed | undefined, all: readonly Factors[], from: number): Factors['beside'] {
  if (list === undefined) return undefined;
  const [middle, end] = [from + list.at, from + list.products.length];
  return { before: all.slice(from, middle), after: all.slice(middle, end) };
}

async function multiply(
  { id, beside, inFlight, memory, clock: hour, apart }: Request,
  [own, ...others]: readonly Factors[],
): Promise<void> {
  try {
    const list = othersIn(beside, others, 0);
    const flight = othersIn(inFlight, others, beside?.products.length ?? 0);
    if (hour !== undefined) clock?.(hour);
    const asked = { ...own, beside: list, inFlight: flight, memory };
    const found = apart === true ? await allApart(own) : productOf((await session.run([asked]))[0]);
    const what = replaced();
    if (what !== undefined) throw new Error(replaces(what));
    const { c: d, seconds = 0, changed = null, ...left } = found;
    const file = npyParts(d);
    const answer: Answer = {
      ...{ id, d: sizeOf(file), changed, ...left },
      ...(seconds > 0 ? { seconds: [seconds] } : {}),
    };
    await still();
    const saw = seen();
    if (saw.length > 0) answer.saw = [...saw];
    send(output, answer, [file]);
  } catch (error) {
    await still();
    send(output, { id, ...told(error) });
  }
}

/** Products that are asked for one after the other; what was left of their operands, those that are asked for alone tell. */
async function allApart(factors: Factors): Promise<Product> {
  return { c: await productsApart(session, factors), unwritten: 0, overwritten: 0, changed: 0, seconds: 0 };
}

function told(error: unknown) {
  return written(thrownBy(name, error));
}
