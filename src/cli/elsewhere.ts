import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { lookUp } from '../base/look-up.ts';
import type { Registry } from '../base/registry.ts';
import { isOfCollection } from '../collection/node/collected-algorithms.ts';
import type { Flags } from '../config/flags.ts';
import type { Options } from '../config/options.ts';
import { optionNotInRuntime } from '../runtimes/messages.ts';
import type { Runtime } from '../runtimes/node/runtime.ts';
import { runtimeNamed } from '../runtimes/node/runtimes.ts';
import type { Task } from '../runtimes/task.ts';

/** Another runtime that judges, and on what. */
export interface Elsewhere {
  readonly runtime: Runtime;
  readonly adapter: Task['adapter'];
  readonly toggles: readonly string[];
}

/** Options of what only Node does, by their names as the parser gives them, with why not. */
const OF_NODE: Readonly<Record<string, string>> = {
  jobs: 'one page judges, in one process',
  untrusted: 'what holds kernels that nobody trusts holds processes of Node',
  python: 'it has no Python',
  device: 'it has no Python',
  convention: 'it opens no shared libraries',
  timing: 'where the time goes is measured in Node alone',
};

const KINDS = ['hardware', 'software'] as const;

/**
 * Where flags and config have cases judged; undefined where that is here.
 * @param algorithms what kernels compute by. @defaultValue the built-in ones
 * @throws ParanoiaError `unknown-name`, `missing-option`, `option-not-in-runtime`
 */
export function elsewhereOf(
  flags: Flags,
  { adapter, kernels = [], toggles = [] }: Options,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): Elsewhere | undefined {
  const runtime = runtimeNamed(flags.in);
  if (runtime === undefined) return undefined;
  const refuse = (option: string, why: string) => optionNotInRuntime({ option, runtime: runtime.name, why });
  const wrong = Object.entries(OF_NODE).find(([name]) => lookUp(flags, name) !== undefined);
  if (wrong !== undefined) throw refuse(`--${wrong[0]}`, wrong[1]);
  const ofFiles = kernels.find(
    (one): one is string => typeof one === 'string' && isOfCollection(one, algorithms),
  );
  if (ofFiles !== undefined)
    throw refuse(
      `--kernel ${ofFiles}`,
      'tables of the catalogue are read from files, which it does not have',
    );
  const kind = KINDS.find((one) => one === adapter);
  if (adapter !== undefined && kind === undefined)
    throw refuse(`--adapter ${adapter}`, `it chooses among adapters itself; give ${KINDS.join(' or ')}`);
  if (toggles.length > 0 && !runtime.takesToggles)
    throw refuse(`--toggle ${toggles.join()}`, `toggles are Dawn's, and it computes by ${runtime.by}`);
  return { runtime, adapter: kind, toggles };
}
