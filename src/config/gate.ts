import { part } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Replay } from '../evidence/result-of.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { deviceRefused } from '../gpu/messages.ts';
import { openGiven } from '../gpu/open.ts';
import { openOwnDevice } from '../gpu/open-own.ts';
import type { GpuDevice } from '../gpu/web-gpu.ts';
import { catalogueOf } from '../kernels/catalogue.ts';
import { openHere } from '../kernels/open-here.ts';
import { judge } from '../run/judge.ts';
import { openMachine } from '../run/open-machine.ts';
import type { Results } from '../run/results.ts';
import { stampedResults } from '../run/stamped-results.ts';
import { askedOf } from './asked-of.ts';
import { campaignOf, seedOf } from './campaign-of.ts';
import type { Config } from './config.ts';
import { readItems } from './own-items.ts';
import { parseConfig } from './schema.ts';
import { thisRuntime } from './this-runtime.ts';

/** What a gate judges, and whom it tells: the options of a config, but for those of files, processes and Node's adapters. */
export interface GateCall
  extends Omit<
    Config,
    'adapter' | 'toggles' | 'baselines' | 'reporters' | 'out' | 'jobs' | 'timeLimit' | 'studies'
  > {
  /**
   * What kernels of ours and shaders compute on: a device of yours, which stays open, or one that was opened with `openAdapter`.
   * @defaultValue that of `navigator.gpu`, opened if a kernel needs one
   */
  readonly device?: GpuDevice | OpenDevice | undefined;
  /** Cases as failures print them, instead of the campaign. */
  readonly case?: string | readonly string[] | undefined;
  /** Results of a run with the same options that ended early: their cases are told again, and not judged again. */
  readonly known?: readonly CaseResult[] | undefined;
  /** The command that runs cases again, as failures print it. @defaultValue `npx gemm-paranoia gate --case …` */
  readonly replay?: Replay | undefined;
  /** Told on what is judged, and how many cases. */
  readonly onStart?: (machine: Machine, cases: number) => void;
  /** Told of each result, with how many there are and will be. */
  readonly onCase?: (result: CaseResult, done: number, planned: number) => void;
  /** Told of each kernel that is inspected after its cases, and of each question that it has answered. */
  readonly onInspect?: (kernel: string, question?: string) => void;
  /** Ends the run before the next case; what was judged is in the results, which are then inconclusive. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The gate in one call, in any runtime: pages, workers, Node, Deno. Kernels are judged where it is called, by the quick budget
 * unless the config names another.
 * @returns what `results.json` holds.
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `bad-case`, `no-cases`, `no-adapter`, `device-refused`, `programs-elsewhere`
 */
export async function gate(call: GateCall): Promise<Results> {
  const { device, case: texts, known: before, replay, onStart, onCase, onInspect, signal, ...given } = call;
  const { config: named, items } = readItems(given, 'The config', await defining(given));
  const known = { kernels: catalogueOf([], items).names, inputs: items.inputs.names, items, reporters: [] };
  const config = parseConfig(named, known);
  const asked = await askedOf(config, texts, items);
  const { catalogue } = asked;
  const openDevice = () => (device === undefined ? openOwnDevice() : opened(device));
  const options = { catalogue, openDevice, processor: thisRuntime, sessionOf: openHere };
  const {
    machine,
    baselines: _,
    broken: __,
    ...outcome
  } = await judge({
    ...asked,
    ...{ onCase, onInspect, replay, known: before && new Map(before.map((result) => [result.case, result])) },
    open: (kernels) => openMachine(kernels, options),
    stop: () => signal?.aborted === true,
    onStart: (on, planned) => onStart?.(on, planned.length),
  });
  return stampedResults(machine, { seed: seedOf(campaignOf(config, 'quick')), command: 'gate()' }, outcome);
}

/** @throws ParanoiaError `device-refused` for a device that is lost: another one is not ours to open */
async function opened(device: GpuDevice | OpenDevice): Promise<OpenDevice> {
  if (!('fingerprint' in (device as object))) return openGiven(device as GpuDevice);
  const open = device as OpenDevice;
  const why = open.lostReason();
  if (why !== undefined) throw deviceRefused({ name: open.fingerprint.name, why: `it was lost (${why})` });
  return { ...open, close: () => {} };
}

/** Loads the check of algorithms where there are some. */
async function defining({ algorithms }: Pick<GateCall, 'algorithms'>) {
  if (algorithms === undefined) return undefined;
  return (await part('checks algorithms', () => import('../algorithms/define-algorithm.ts'))).defineAlgorithm;
}
