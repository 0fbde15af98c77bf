import type { Algorithm } from '../../algorithms/algorithm.ts';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import type { Registry } from '../../base/registry.ts';
import { isOfCollection } from '../../collection/node/read-tables.ts';
import type { RunOptions } from '../../config/options.ts';
import { flagOf, type Option } from '../../options/option.ts';
import { optionNotInRuntime } from '../../runtimes/messages.ts';
import type { Runtime } from '../../runtimes/node/runtime.ts';
import { findRuntimeByName } from '../../runtimes/node/runtimes.ts';
import type { RuntimeTask } from '../../runtimes/wire.ts';
import { type GateRequest, gateOptions } from './options.ts';

/** Another runtime that judges, and its adapter. */
export interface OtherRuntime {
  readonly runtime: Runtime;
  readonly adapter: RuntimeTask['adapter'];
  readonly toggles: readonly string[];
}

const KINDS = ['hardware', 'software'] as const;

/**
 * Returns the runtime in which a request and a config have cases judged; undefined for this one.
 * @param algorithms tables that kernels compute by. @defaultValue the built-in ones
 * @throws ParanoiaError `option-not-in-runtime`
 */
export function elsewhereOf(
  request: GateRequest,
  { adapter, kernels = [], toggles = [] }: RunOptions,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): OtherRuntime | undefined {
  const runtime = findRuntimeByName(request.in);
  if (runtime === undefined) return undefined;
  const refuse = (option: string, why: string) => optionNotInRuntime({ option, runtime: runtime.name, why });
  for (const [key, { flag, nodeOnly }] of Object.entries<Option>(gateOptions))
    if (nodeOnly !== undefined && request[key as keyof GateRequest] !== undefined)
      throw refuse(flagOf({ flag }), nodeOnly);
  const ofFiles = kernels.find(
    (one): one is string => typeof one === 'string' && isOfCollection(one, algorithms),
  );
  if (ofFiles !== undefined)
    throw refuse(`--kernel ${ofFiles}`, 'catalog tables are files, which it cannot read');
  const kind = KINDS.find((one) => one === adapter);
  if (adapter !== undefined && kind === undefined)
    throw refuse(`--adapter ${adapter}`, `it chooses the adapter itself. Give ${KINDS.join(' or ')}`);
  if (toggles.length > 0 && !runtime.takesToggles)
    throw refuse(`--toggle ${toggles.join()}`, `toggles are options of Dawn, and it uses ${runtime.by}`);
  return { runtime, adapter: kind, toggles };
}
