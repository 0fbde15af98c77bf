import { loadPart } from '../base/part.ts';
import { type CaseResult, plannedText } from '../evidence/case-result.ts';
import type { ReplayCommand } from '../evidence/result-of.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { deviceRefused } from '../gpu/messages.ts';
import { openOwnDevice, openOwned } from '../gpu/open.ts';
import type { GpuDevice } from '../gpu/web-gpu.ts';
import { makeKernelCatalog } from '../kernels/kernel-catalog.ts';
import { openHere } from '../kernels/open-here.ts';
import { judge } from '../run/judge.ts';
import { openMachine } from '../run/open-machine.ts';
import type { Results } from '../run/results.ts';
import { stampResults } from '../run/stamped-results.ts';
import { makeCampaign, seedOf } from './campaign-of.ts';
import type { Config } from './config.ts';
import { readItems } from './own-items.ts';
import { planQuickGate } from './plan-quick-gate.ts';
import { parseConfig } from './schema.ts';
import { thisRuntime } from './this-runtime.ts';

/** A call of the gate: the options of a config, except those of files, processes and Node's adapters, and its callbacks. */
export interface GateCall
  extends Omit<
    Config,
    'adapter' | 'toggles' | 'baselines' | 'reporters' | 'out' | 'jobs' | 'timeLimit' | 'studies'
  > {
  /**
   * The device for kernels of ours and shaders: a device of yours, which stays open, or one opened with `openAdapter`.
   * @defaultValue that of `navigator.gpu`, opened if a kernel needs one
   */
  readonly device?: GpuDevice | OpenDevice | undefined;
  /** Cases as failures print them, instead of the campaign. */
  readonly case?: string | readonly string[] | undefined;
  /** Results of an earlier run with the same options that ended early: they are reported again without being judged again. */
  readonly known?: readonly CaseResult[] | undefined;
  /** The command that runs cases again, as failures print it. @defaultValue `npx gemm-paranoia gate --case …` */
  readonly replay?: ReplayCommand | undefined;
  /** Called with the machine and the number of cases before the first case. */
  readonly onStart?: (machine: Machine, cases: number) => void;
  /** Called with each result, the number of results so far, and the number planned. */
  readonly onCase?: (result: CaseResult, done: number, planned: number) => void;
  /** Called for each kernel that is inspected after its cases, and for each question answered. */
  readonly onInspect?: (kernel: string, question?: string) => void;
  /** Ends the run before the next case. The results then hold the cases judged so far, and are inconclusive. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the gate in any runtime: pages, workers, Node, Deno. Kernels are judged in the calling thread, by the quick budget unless
 * the config names another.
 * @returns the contents of `results.json`
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `bad-case`, `no-cases`, `no-adapter`, `device-refused`, `programs-elsewhere`
 */
export async function gate(call: GateCall): Promise<Results> {
  const { device, case: texts, known: before, replay, onStart, onCase, onInspect, signal, ...given } = call;
  const { config: named, items } = readItems(given, 'The config', await defining(given));
  const known = {
    kernels: makeKernelCatalog([], items).names,
    inputs: items.inputs.names,
    items,
    reporters: [],
  };
  const config = parseConfig(named, known);
  const asked = await planQuickGate(config, texts, items);
  const { catalog } = asked;
  const openDevice = () => (device === undefined ? openOwnDevice() : opened(device));
  const options = { catalog, openDevice, processor: thisRuntime, sessionOf: openHere };
  const {
    machine,
    baselines: _,
    broken: __,
    ...outcome
  } = await judge({
    ...asked,
    ...{
      onCase,
      onInspect,
      replay,
      known: before && new Map(before.map((result) => [plannedText(result), result])),
    },
    open: (kernels) => openMachine(kernels, options),
    stop: () => signal?.aborted === true,
    onStart: (on, planned) => onStart?.(on, planned.length),
  });
  return stampResults(machine, { seed: seedOf(makeCampaign(config, 'quick')), command: 'gate()' }, outcome);
}

/** Opens a device, unless it is already open. @throws ParanoiaError `device-refused` for a lost device: only its owner may open another */
async function opened(device: GpuDevice | OpenDevice): Promise<OpenDevice> {
  if (!('fingerprint' in (device as object))) return openOwned(device as GpuDevice);
  const open = device as OpenDevice;
  const why = open.lostReason();
  if (why !== undefined) throw deviceRefused({ name: open.fingerprint.name, why: `it was lost (${why})` });
  return { ...open, close: () => {} };
}

/** Loads the check of algorithms where there are some. */
async function defining({ algorithms }: Pick<GateCall, 'algorithms'>) {
  if (algorithms === undefined) return undefined;
  return (await loadPart('checks algorithms', () => import('../algorithms/define-algorithm.ts')))
    .defineAlgorithm;
}
