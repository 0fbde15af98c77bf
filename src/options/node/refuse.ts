import { lookUp } from '../../base/look-up.ts';
import { conflictingOptions } from '../messages.ts';
import { flagOf, givenFlag, type OptionTable } from '../option.ts';
import { vainOption } from './messages.ts';

/** True if a required option is given, with the required value if there is one: `--on gpu`. */
function isMet(options: OptionTable, values: object, required: string): boolean {
  const [flag, value] = required.split(' ');
  return Object.entries(values).some(([key, given]) => {
    const option = lookUp(options, key);
    return option !== undefined && flagOf(option) === flag && (value === undefined || given === value);
  });
}

/** The flag of untrusted kernels: some options require it, others exclude it. */
const UNTRUSTED = '--untrusted';

/**
 * Refuses options that contradict each other or depend on one that is not given.
 * @throws ParanoiaError `conflicting-options`, `vain-option`
 */
export function refuseContradictions(options: OptionTable, values: object): void {
  const isGiven = (flag: string) =>
    givenFlag(options, values, (option) => flagOf(option) === flag) !== undefined;
  const given = Object.entries(options).filter(([key]) => Object.hasOwn(values, key));
  for (const [, option] of given) {
    const { requires, excludes = [] } = option;
    if (requires !== undefined && !isMet(options, values, requires))
      throw vainOption({ option: flagOf(option), without: requires });
    const other = excludes.find(isGiven);
    if (other !== undefined) throw conflictingOptions({ one: flagOf(option), other });
  }
  if (!Object.values(options).some((option) => flagOf(option) === UNTRUSTED)) return;
  const isUntrusted = isGiven(UNTRUSTED);
  const wrong = givenFlag(options, values, (option) => option.untrusted === (isUntrusted ? 'never' : 'only'));
  if (wrong === undefined) return;
  if (isUntrusted) throw conflictingOptions({ one: UNTRUSTED, other: wrong });
  throw vainOption({ option: wrong, without: UNTRUSTED });
}
