import type { Timing } from '../../gpu/runner/time.ts';
import { choice, number, seed } from '../../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';
import type { Range } from '../../problem/ranges.ts';
import { usualTiming, type WantedClock, wantedClocks } from '../../study/bench/trial.ts';

const range = (least: number, most: number, whole: boolean): Range => ({
  ...{ least, most, whole },
  need: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
});

/** Options of timed trials. */
export const trialOptions = {
  trials: number(range(3, 1000, true), '--trials <n>', 'Timed trials', { usual: String(usualTiming.trials) }),
  warmUp: number(range(0, 100, true), '--warm-up <n>', 'Products before them', {
    usual: String(usualTiming.warmUp),
  }),
  seconds: number(
    range(0.01, 3600, false),
    '--seconds <s>',
    'No new trial of a kernel after so long, beyond five',
    { usual: String(usualTiming.most) },
  ),
  clock: choice(wantedClocks, '--clock <which>', 'timestamps, submission or whole', { usual: 'timestamps' }),
  seed: seed('1'),
} as const satisfies OptionTable;

/** The manner of trials. */
export interface Trials {
  readonly timing: Timing;
  readonly clock: WantedClock;
  readonly seed: number;
}

/** The manner of trials that options ask for. */
export function trialsOf(values: ValuesOf<typeof trialOptions>): Trials {
  const { trials = usualTiming.trials, warmUp = usualTiming.warmUp, seconds = usualTiming.most } = values;
  return {
    timing: {
      ...usualTiming,
      ...{ trials, warmUp, fewest: Math.min(trials, usualTiming.fewest), most: seconds },
    },
    clock: values.clock ?? 'timestamps',
    seed: values.seed ?? 1,
  };
}
