import type { Depth } from '../../plan/levels.ts';
import type { DepthRequest } from './options.ts';

/** The depth that `--levels`, or `--tau1` and `--tau2`, ask for. @param usual levels where none is given. */
export function depthOf({ levels, tau1, tau2 }: DepthRequest, usual: number): Depth {
  if (tau1 === undefined && tau2 === undefined) return { levels: levels ?? usual };
  return { tau1: tau1 ?? Math.ceil(Number(tau2) / 2), tau2: tau2 ?? 2 * Number(tau1) };
}
