import type { ProcessCommand } from '../../../sandbox/node/sandbox.ts';
import { START_UP, waitWithin } from '../../deadline.ts';
import { kernelUnfit } from '../../messages.ts';
import { endingText } from './child.ts';
import { type KernelSandbox, launch } from './launch.ts';

/** The most bytes of output that are read. */
const LONGEST = 2 ** 20;

/**
 * Returns the output of a sandboxed process.
 * @throws an error if it fails: `stderr` is its last output, `killed` that it took too long
 */
export async function outputOf(start: ProcessCommand, by: KernelSandbox): Promise<string> {
  const launched = launch(start, { stdio: ['ignore', 'pipe', 'pipe'], speaks: true }, by);
  const parts: Buffer[] = [];
  let length = 0;
  const { stdout } = launched.process;
  const closed = new Promise<void>((resolve) => stdout?.once('close', () => resolve()));
  stdout?.on('data', (part: Buffer) => {
    length += part.length;
    if (length > LONGEST) launched.kill();
    else parts.push(part);
  });
  try {
    const late = () => kernelUnfit({ kernel: start.file, why: `it did not end within ${START_UP} s` });
    const ending = await waitWithin(START_UP, launched.ended, late);
    await closed;
    if (ending.error === undefined && ending.code === 0 && length <= LONGEST)
      return Buffer.concat(parts).toString();
    const why = launched.breach() ?? endingText(ending, launched.lastWords());
    throw Object.assign(new Error(why), { stderr: why });
  } finally {
    launched.kill();
  }
}
