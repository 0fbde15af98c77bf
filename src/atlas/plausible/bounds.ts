import { fromReal } from '../../base/real.ts';
import { OURS } from '../../base/registry.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { ofCases, type Plausible } from './plausible.ts';

export const bounds: Plausible = {
  name: 'bounds',
  what: 'Do checks find the numbers of their cases, on the side of what is allowed that their status says?',
  source: OURS,
  faults: ({ cases }) =>
    ofCases(
      cases.flatMap((result) => {
        const why = faultOf(result);
        return why === undefined ? [] : [{ case: result.case, why }];
      }),
    ),
};

function faultOf({ checks, exact, runningBound, mirrorEqual, sigma }: CaseResult): string | undefined {
  for (const { name, status, found, allowed } of checks) {
    if (found === undefined || allowed === undefined || name === 'unbiased') continue;
    const isWithin = fromReal(found) <= fromReal(allowed);
    if (status === 'pass' && !isWithin) return `${name} passes with ${found} where ${allowed} are allowed`;
    if (status === 'fail' && isWithin) return `${name} fails with ${found} where ${allowed} are allowed`;
  }
  const foundBy = (check: string) => checks.find(({ name }) => name === check);
  const bound = foundBy('running-bound');
  if (bound?.found !== undefined && runningBound !== undefined && bound.found !== runningBound.used)
    return `its running bound is used to ${runningBound.used}, and the check found ${bound.found}`;
  const exactly = foundBy('exact');
  if (exactly?.status === 'pass' && exactly.found !== undefined && fromReal(exact?.maxError ?? 0) !== 0)
    return `it is the exact product, and errs by ${exact?.maxError}`;
  if (mirrorEqual !== undefined && (runningBound === undefined || sigma === undefined))
    return 'it was compared with the mirror, and has none of the numbers that come with it';
  return undefined;
}
