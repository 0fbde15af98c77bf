import type { Start } from '../../../confine/node/confinement.ts';
import { START_UP, within } from '../../deadline.ts';
import { kernelUnfit } from '../../messages.ts';
import { endingText } from './child.ts';
import { type HeldBy, launch } from './launch.ts';

/** Bytes of an output that are read at most. */
const LONGEST = 2 ** 20;

/**
 * What a process that is held prints until it ends.
 * @throws an error of what it did instead: `stderr` is what it said last, `killed` that it took too long
 */
export async function outputOf(start: Start, by: HeldBy): Promise<string> {
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
    const late = () => kernelUnfit({ kernel: start.file, why: `it does not end within ${START_UP} s` });
    const ending = await within(START_UP, launched.ended, late);
    await closed;
    if (ending.error === undefined && ending.code === 0 && length <= LONGEST)
      return Buffer.concat(parts).toString();
    const why = launched.breach() ?? endingText(ending, launched.lastWords());
    throw Object.assign(new Error(why), { stderr: why });
  } finally {
    launched.kill();
  }
}
