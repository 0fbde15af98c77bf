import type { Flags } from '../config/flags.ts';
import { parseNumber, parseShape } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Depth } from '../plan/levels.ts';
import { type Range, ranges } from '../problem/ranges.ts';

/** The depth that `--levels` says, or `--tau1` and `--tau2`. @throws ParanoiaError `bad-number`, `conflicting-options` */
export function depthOf({ levels, tau1, tau2 }: Flags, usual: number): Depth {
  if (tau1 === undefined && tau2 === undefined) {
    return { levels: levels === undefined ? usual : parseNumber('--levels', levels, ranges.levels) };
  }
  if (levels !== undefined) throw conflictingOptions({ one: '--levels', other: '--tau1 and --tau2' });
  const [low, high] = [tau1 ?? Math.ceil(Number(tau2) / 2), tau2 ?? 2 * Number(tau1)];
  return { tau1: parseNumber('--tau1', low, ranges.size), tau2: parseNumber('--tau2', high, ranges.size) };
}

/** The shape that `--size` says. @throws ParanoiaError `bad-number`, … */
export function givenShape({ size }: Flags, range?: Range): Shape | undefined {
  return size === undefined ? undefined : parseShape('--size', size, range);
}
