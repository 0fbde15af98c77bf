import { ParanoiaError, settled } from '../../base/errors.ts';
import { OURS } from '../../base/registry.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { parseCase } from '../../problem/case.ts';
import { reported } from '../../problem/schema.ts';
import { ofCases, type Plausible } from './plausible.ts';

export const texts: Plausible = {
  name: 'texts',
  what: 'Is each result of the case that its text says, and each text a case?',
  source: OURS,
  faults: ({ cases, leftOut = [] }) => [
    ...ofCases(
      cases.flatMap((result) => {
        const why = faultOf(result);
        return why === undefined ? [] : [{ case: result.case, why }];
      }),
    ),
    ...ofCases(
      leftOut.flatMap((text) => {
        const read = settled(() => parseCase(text));
        return read instanceof ParanoiaError ? [{ case: text, why: read.message }] : [];
      }),
    ),
  ],
};

function faultOf(result: CaseResult): string | undefined {
  const read = settled(() => parseCase(result.case));
  if (read instanceof ParanoiaError) return read.message;
  if (read.fault !== undefined) return 'a fault was planted in its kernel';
  const said = reported(read);
  const differing = Object.entries(said).filter(
    ([key, value]) => key !== 'case' && result[key as keyof typeof said] !== value,
  );
  const [first] = differing;
  if (first === undefined) return undefined;
  const [key, value] = first;
  return `its text says ${key}=${value}, and its result ${result[key as keyof typeof said]}`;
}
