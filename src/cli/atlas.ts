import { lookUp } from '../base/look-up.ts';
import { unknownName } from '../base/messages.ts';
import type { Flags } from '../config/flags.ts';
import { extraArgument, missingArgument } from './messages.ts';

/** A part of the command, and the options that are its own. */
interface Part {
  readonly takes: readonly string[];
  /** What its words are; none where it has none. */
  readonly words?: string;
  readonly run: (words: readonly string[], flags: Flags) => Promise<number>;
}

const parts: Readonly<Record<string, Part>> = {
  add: {
    words: 'results.json',
    takes: ['to', 'raw', 'device', 'driver', 'implementation', 'inspected'],
    run: async (words, flags) => (await import('./atlas-add.ts')).runAdd(words, flags),
  },
  build: {
    takes: ['from', 'out'],
    run: async (_, flags) => (await import('./atlas-build.ts')).runBuild(flags),
  },
};

/** Options of every command. */
const COMMON = ['--', 'verbose', 'help'];

/**
 * `atlas add|build`
 * @returns the exit code.
 * @throws ParanoiaError `unknown-name`, `missing-argument`, `extra-argument`, and those of its parts
 */
export async function runAtlas(name: string, words: readonly string[], flags: Flags): Promise<number> {
  const part = lookUp(parts, name);
  if (part === undefined)
    throw unknownName({ what: 'part of atlas', given: name, known: Object.keys(parts) });
  const other = Object.keys(flags).find((key) => !COMMON.includes(key) && !part.takes.includes(key));
  if (other !== undefined)
    throw unknownName({ what: `option of atlas ${name}`, given: other, known: part.takes });
  if (part.words === undefined && words.length > 0)
    throw extraArgument({
      command: `atlas ${name}`,
      given: words[0],
      example: `gemm-paranoia atlas ${name}`,
    });
  if (part.words !== undefined && words.length === 0)
    throw missingArgument({ command: `gemm-paranoia atlas ${name} <${part.words}>`, argument: part.words });
  return part.run(words, flags);
}
