import { Problem, problem } from '../../problems.ts';
import type { Session } from '../session.ts';
import { reasonOf } from '../thrown.ts';
import { type FromHost, type Locator, type ToHost, written } from './host-messages.ts';

/** The process that one kernel runs in. It ends when it is told to, or when nobody is left to tell it. */

let name = '';
let session: Session | undefined;

process.on('disconnect', () => process.exit());
process.on('uncaughtException', (error) => {
  tell({ tell: 'uncaught', why: reasonOf(error) }, () => process.exit(1));
});
process.on('message', (message: ToHost) => void obey(message));

async function obey(message: ToHost): Promise<void> {
  if (message.tell === 'open') await open(message.name, message.locator);
  else if (message.tell === 'multiply') await multiply(message);
  else await close();
}

async function open(kernel: string, locator: Locator): Promise<void> {
  name = kernel;
  try {
    session = await locate(locator);
  } catch (error) {
    tell({ tell: 'unopened', problem: written(error, name) });
    return;
  }
  // What is wrong with the start is wrong with every product, and is said of each.
  await session.start?.().catch(() => {});
  tell({ tell: 'ready', versions: await session.versions().catch(() => ({})) });
}

async function locate({ module, args }: Locator): Promise<Session> {
  const { locate }: { locate(args: unknown): Promise<Session> } = await import(module);
  try {
    return await locate(args);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw problem('bad-kernel', { kernel: `"${name}"`, why: `opening it fails: ${reasonOf(error)}` }, error);
  }
}

async function multiply({ id, a, b, call }: Extract<ToHost, { tell: 'multiply' }>): Promise<void> {
  try {
    if (session === undefined) throw new Error('it is not open');
    // Said before anything that may never end.
    await new Promise<void>((told) => tell({ tell: 'begun', id }, told));
    tell({ tell: 'product', id, execution: await session.multiply(a, b, call) });
  } catch (error) {
    tell({ tell: 'problem', id, problem: written(error, name) });
  }
}

async function close(): Promise<void> {
  await session?.close().catch(() => {});
  process.exit();
}

function tell(message: FromHost, then?: () => void): void {
  process.send?.(message, () => then?.());
}
