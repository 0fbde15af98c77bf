import type { Campaign } from '../gate/campaign.ts';
import type { OpenOptions } from '../gpu/open.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import type { JudgeOptions } from '../run/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { Waiver } from '../run/waivers.ts';
import type { WireCase } from './wire.ts';

/** The task of a runtime: everything but the kernels, which come as code. */
export interface RuntimeTask {
  /** Options of judging, as data. */
  readonly judging: Pick<
    JudgeOptions,
    'thresholds' | 'whole' | 'thin' | 'notes' | 'shard' | 'inspect' | 'budget' | 'sources'
  >;
  readonly asked: readonly WireCase[];
  readonly sample: readonly WireCase[];
  readonly waivers: readonly Waiver[];
  /** The campaign for further draws, made where a kernel is seen to take another path. */
  readonly campaign?: Campaign | undefined;
  /** Text before and after the cases in the command that runs them. */
  readonly replay: { readonly before: string; readonly behind: string };
  /** True if the cases of a failing kernel end early. */
  readonly endsEarly: boolean;
  /** Seconds for the search for smaller examples. */
  readonly shrinking: number;
  /** The requested kind of adapter. */
  readonly adapter?: 'hardware' | 'software' | undefined;
  /** Facts that WebGPU does not report, but the starting process knows. */
  readonly known: Pick<OpenOptions, 'dawn' | 'toggles' | 'origin' | 'chosenBecause'>;
}

/** Encodes a planned case for another process. */
export function encodeCase({ kernel, problem, method, fault, after, ...more }: PlannedCase): WireCase {
  const text = formatCase({ kernel, problem, method, fault });
  return { ...more, text, ...(after === undefined ? {} : { after: after.map(formatCase) }) };
}

/** Decodes a planned case. @throws ParanoiaError `bad-case` */
export function decodeCase({ text, after, ...more }: WireCase): PlannedCase {
  const others = after === undefined ? {} : { after: after.map((one) => parseCase(one)) };
  return { ...parseCase(text), ...more, ...others };
}
