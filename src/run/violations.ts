import { formatCount } from '../report/numbers.ts';

/** Says how many violations a campaign found, in how many cases. */
export function describeViolations(count: number, cases: number): string {
  const found =
    count === 1
      ? 'A violation was found, which ends a search'
      : `${count} violations were found, each of which ends a search`;
  return `${found}; ${formatCount(cases, 'case')} ran.`;
}
