import type { Campaign } from '../gate/campaign.ts';
import type { OpenOptions } from '../gpu/open.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import type { JudgeOptions } from '../run/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { Waiver } from '../run/waivers.ts';
import type { ToldCase } from './wire.ts';

/** What a runtime is to judge: all but the kernels, which come as code. */
export interface Task {
  /** What is judged by, as data. */
  readonly judging: Pick<
    JudgeOptions,
    'thresholds' | 'whole' | 'thin' | 'notes' | 'shard' | 'inspect' | 'budget' | 'sources'
  >;
  readonly asked: readonly ToldCase[];
  readonly sample: readonly ToldCase[];
  readonly waivers: readonly Waiver[];
  /** What more is drawn from, where a kernel is seen to take another path. */
  readonly campaign?: Campaign | undefined;
  /** The command that runs cases, before and behind their texts. */
  readonly replay: { readonly before: string; readonly behind: string };
  /** Whether the cases of a kernel that fails end early. */
  readonly endsEarly: boolean;
  /** Seconds that smaller examples are looked for. */
  readonly shrinking: number;
  /** The kind of adapter that is asked for. */
  readonly adapter?: 'hardware' | 'software' | undefined;
  /** What WebGPU does not say, and whoever started the runtime knows. */
  readonly known: Pick<OpenOptions, 'dawn' | 'toggles' | 'origin' | 'chosenBecause'>;
}

/** A planned case in terms that another process understands. */
export function tellCase({ kernel, problem, method, fault, after, ...more }: PlannedCase): ToldCase {
  const text = formatCase({ kernel, problem, method, fault });
  return { ...more, text, ...(after === undefined ? {} : { after: after.map(formatCase) }) };
}

/** The planned case that was told. @throws ParanoiaError `bad-case` */
export function caseTold({ text, after, ...more }: ToldCase): PlannedCase {
  const others = after === undefined ? {} : { after: after.map((one) => parseCase(one)) };
  return { ...parseCase(text), ...more, ...others };
}
