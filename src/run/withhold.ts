import type { CaseResult } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';

/** Answers that praise a product as a whole, from the few inspected products. */
const PRAISE: ReadonlySet<string> = new Set(['multiplies', 'grade']);

/**
 * Removes praise from the inspections of kernels that fail a case. A question that saw only right products says nothing about wrong ones.
 */
export function removePraise(
  inspections: readonly Inspection[],
  cases: readonly Pick<CaseResult, 'kernel' | 'verdict'>[],
): Inspection[] {
  return inspections.map((inspection) => {
    const failing = cases.filter(
      ({ kernel, verdict }) => kernel === inspection.kernel && verdict === 'fail',
    ).length;
    if (failing === 0) return inspection;
    const { multiplies: _, grade: __, ...measures } = inspection.measures;
    const answer = `withheld: ${failing} ${failing === 1 ? 'case' : 'cases'} of the gate failed`;
    const findings = inspection.findings.map((finding) =>
      PRAISE.has(finding.id) && finding.value !== false && finding.value !== 'none'
        ? { ...finding, answer, value: null, confidence: 'unknown' as const }
        : finding,
    );
    return { ...inspection, findings, measures };
  });
}
