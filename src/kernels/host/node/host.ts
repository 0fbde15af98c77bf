import { ParanoiaError } from '../../../base/errors.ts';
import { findReplacedBuiltin, lockRealm, watchRealm } from '../../../base/node/lock-realm.ts';
import { isRecord } from '../../../base/objects.ts';
import { requireProduct } from '../../../gpu/runner/product.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import type { EpilogueCall } from '../../../matrix/epilogue-call.ts';
import { npyParts, parseNpy } from '../../../matrix/npy.ts';
import type { QuantizedMatrix } from '../../../matrix/operands.ts';
import { badKernel } from '../../../precision/messages.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { describeThrown, toKernelError } from '../../kernel-error.ts';
import { productsApart } from './apart.ts';
import { byteSource } from './byte-source.ts';
import { inherited } from './inherited.ts';
import { startLookout } from './looks.ts';
import type { FactorFiles } from './operand-files.ts';
import {
  type DescribedProduct,
  encodeError,
  fileSizeOf,
  fromWireGemm,
  type HostRequest,
  sendMessage,
  type WireCallContext,
} from './protocol.ts';
import type { HostAnswer } from './replies.ts';
import { shiftableClock } from './shiftable-clock.ts';
import { createIdleWait } from './stillness.ts';

/**
 * The host process of one kernel that is a function, WGSL or an encoder. It speaks the protocol over file descriptors 3 and 4; its
 * standard output belongs to the kernel. Its answers wait for work that a product leaves behind, so that they need no pings. It ends with
 * its input. After each product it checks that the built-in functions it uses are as they were before the kernel was loaded.
 *
 * For an untrusted kernel the built-ins are frozen, answers are written synchronously by functions saved in advance, and no visible object
 * tells who calls.
 */

interface About {
  readonly name: string;
  readonly module: string;
  readonly args: unknown;
  readonly wary?: boolean;
  /** The simulated time of the kernel, in milliseconds since 1970; absent where it sees the true one. */
  readonly clock?: number;
}

/** The result of this package's locators: a session, and the self-description of its kernel. */
interface Located extends KernelSession<ProductInput> {
  readonly about?: unknown;
}

const [about] = process.argv.splice(2);
const { name, module, args, wary = false, clock: time }: About = JSON.parse(about);
/** Sets the kernel's simulated time; undefined where it sees the true one. */
let clock: ((time: number) => void) | undefined;
/** Returns what the kernel has looked at, where that is watched. */
let seen: () => readonly string[] = () => [];
const source = byteSource(inherited.readable(3));
const output = wary ? inherited.direct(4) : inherited.writable(4);

process.on('uncaughtException', (error) => {
  process.stderr.write(`Uncaught error: ${describeThrown(error)}\n`);
  process.exit(1);
});

const session = await opened();
/** Names a built-in that a trusted kernel replaced; for an untrusted one all are frozen. */
const replaced = wary ? () => undefined : watchRealm();
const still = createIdleWait();

// Reading continues during a product, so that the end of the input is noticed.
let last: Promise<void> = Promise.resolve();
for (;;) {
  const line = await source.line(Number.MAX_SAFE_INTEGER);
  if (line.length === 0) break;
  const asked: HostRequest = JSON.parse(line.toString());
  const all = [asked, ...(asked.beside?.products ?? []), ...(asked.inFlight?.products ?? [])];
  const received: ProductInput[] = [];
  for (const one of all) received.push(await factorsOf(one));
  last = last.then(() => multiply(asked, received));
}
await session.close?.().catch(() => {});
process.exit();

/** Opens the kernel and prepares it. Any error is reported, and ends this process. */
async function opened(): Promise<Located> {
  let versions: Readonly<Record<string, string>> | undefined;
  try {
    const found = await located();
    versions = (await found.versions?.().catch(() => undefined)) ?? {};
    await found.start?.();
    sendMessage(output, { ready: true, versions, about: found.about });
    return found;
  } catch (error) {
    sendMessage(output, { ready: false, ...told(error), versions });
    output.end(() => process.exit());
    return new Promise(() => {});
  }
}

async function located(): Promise<Located> {
  const { locate }: { locate(args: unknown): Promise<Located> } = await import(module);
  // No product depends on which program this is.
  process.argv.splice(1);
  if (wary) await conceal();
  try {
    return await locate(args);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    throw badKernel({ kernel: `"${name}"`, why: `it cannot be opened: ${describeThrown(error)}` }, error);
  }
}

/** Conceals this package before the kernel's code runs, so that it sees an ordinary process. */
async function conceal(): Promise<void> {
  if (time !== undefined) clock = await shiftableClock(time);
  seen = startLookout();
  lockRealm();
  process.title = 'node';
}

async function matrixOf(bytes: number): Promise<Matrix> {
  return parseNpy(await source.bytes(bytes), 'an operand');
}

async function factorsOf({
  problem,
  a,
  b,
  c,
  factors = {},
  epilogue,
}: DescribedProduct): Promise<ProductInput> {
  const operands = { a: await matrixOf(a), b: await matrixOf(b), c: c === undefined ? c : await matrixOf(c) };
  const coded = {
    a: factors.a && (await codesOf(operands.a, factors.a)),
    b: factors.b && (await codesOf(operands.b, factors.b)),
  };
  const steps = epilogue && (await stepsOf(epilogue));
  return { operands: { ...operands, coded, epilogue: steps }, gemm: fromWireGemm(problem) };
}

/** Reads the tensors of steps. */
async function stepsOf(described: readonly EpilogueCall[]): Promise<EpilogueCall[]> {
  const steps: EpilogueCall[] = [];
  for (const step of described) {
    const own = new Map<string, unknown>();
    for (const [key, value] of Object.entries(step))
      own.set(key, isRecord(value) ? await matrixOf(value.npy as number) : value);
    steps.push({ ...Object.fromEntries(own), step: step.step });
  }
  return steps;
}

/** Reads codes; the numbers that they stand for are not needed here. */
async function codesOf(elements: Matrix, { scales, zeros }: FactorFiles<number>): Promise<QuantizedMatrix> {
  const factors: Matrix[] = [];
  for (const bytes of scales) factors.push(await matrixOf(bytes));
  const subtracted = zeros === undefined ? {} : { zeros: await matrixOf(zeros) };
  return { coded: { elements, scales: factors, ...subtracted }, decoded: elements };
}

/** Returns the other products of a request, whose files begin at a place. */
function othersIn(
  list: WireCallContext | undefined,
  all: readonly ProductInput[],
  from: number,
): ProductInput['beside'] {
  if (list === undefined) return undefined;
  const [middle, end] = [from + list.at, from + list.products.length];
  return { before: all.slice(from, middle), after: all.slice(middle, end) };
}

async function multiply(
  { id, beside, inFlight, memory, clock: hour, apart }: HostRequest,
  [own, ...others]: readonly ProductInput[],
): Promise<void> {
  try {
    const list = othersIn(beside, others, 0);
    const flight = othersIn(inFlight, others, beside?.products.length ?? 0);
    if (hour !== undefined) clock?.(hour);
    const asked = { ...own, beside: list, inFlight: flight, memory };
    const found =
      apart === undefined
        ? requireProduct((await session.run([asked]))[0])
        : await productsApart(
            session,
            own,
            apart.map(([m, k, n]) => ({ m, k, n })),
          );
    const what = replaced();
    if (what !== undefined) throw new Error(findReplacedBuiltin(what));
    const { c: d, seconds = 0, changed = null, ...left } = found;
    const file = npyParts(d);
    const answer: HostAnswer = {
      ...{ id, d: fileSizeOf(file), changed, ...left },
      ...(seconds > 0 ? { seconds: [seconds] } : {}),
    };
    await still();
    const saw = seen();
    if (saw.length > 0) answer.saw = [...saw];
    sendMessage(output, answer, [file]);
  } catch (error) {
    await still();
    sendMessage(output, { id, ...told(error) });
  }
}

function told(error: unknown) {
  return encodeError(toKernelError(name, error));
}
