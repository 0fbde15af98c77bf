import type { Results } from '../../../gate/results.ts';
import { counted } from '../../numbers.ts';
import { html } from '../markup.ts';
import type { Section } from '../section.ts';
import { table } from '../table.ts';
import { name, sentence } from '../text.ts';

const MOST_KERNELS = 8;

/** What outputs show of kernels that are not ours, and what of their claims that disproves. */
export function inspectionsSection({ inspections = [] }: Results): Section | undefined {
  if (inspections.length === 0) return undefined;
  const columns = ['question', 'answer', 'confidence', 'evidence'].map((heading) => ({ heading }));
  const parts = inspections.slice(0, MOST_KERNELS).map(({ kernel, findings, contradictions = [] }) => {
    const wrong = contradictions.map((one) => html`<p class="fail">${sentence(one)}</p>`);
    const rows = findings.map(({ question, answer, confidence, evidence }) => ({
      cells: [sentence(question), sentence(answer), name(confidence), sentence(evidence)],
    }));
    return html`<h3>${name(kernel)}</h3>${wrong}${table(columns, rows)}`;
  });
  const left = inspections.length - parts.length;
  const more =
    left > 0 ? html`<p class="note">${counted(left, 'more kernel')} in the raw data.</p>` : undefined;
  const note = html`<p>What a kernel is, from its outputs alone. Answers that are proved or measured and contradict its claims fail the gate.</p>`;
  return { id: 'inspections', title: 'What outputs show', body: html`${note}${parts}${more}` };
}
