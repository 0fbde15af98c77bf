import type { Chain } from '../epilogue/chain-text.ts';
import { isComplex } from '../precision/precisions.ts';
import type { GemmProblem } from './problem.ts';

/** The fields of a problem that an epilogue must fit. */
type Fitted = Partial<Pick<GemmProblem, 'n' | 'beta' | 'd' | 'precision' | 'group' | 'program'>>;

/** Explains why an epilogue cannot follow a product, as a clause; undefined where it can. */
export function whyNoEpilogue(
  { steps, gates, text }: Chain,
  { n = 0, beta = 0, d, precision = 'f32', group = 1, program = 0 }: Fitted,
): string | undefined {
  if (steps.length === 0) return undefined;
  if (isComplex(precision)) return `entries are complex, and the steps of epilogue=${text} take real ones`;
  if (group > 1) return `a group of products has no epilogue: leave out group or epilogue=${text}`;
  if (program > 0) return `a call sequence has no epilogue: leave out program or epilogue=${text}`;
  if (n % 2 ** gates > 0)
    return gates === 1
      ? `epilogue=${text} halves the columns, and n=${n} is odd`
      : `epilogue=${text} halves the columns ${gates} times, and n=${n} is no multiple of ${2 ** gates}`;
  return gates > 0 && beta !== 0 && d === undefined
    ? `epilogue=${text} halves the columns, so C needs memory apart from D: add d=n`
    : undefined;
}
