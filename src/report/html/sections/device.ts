import type { Results } from '../../../gate/results.ts';
import type { ProbeAnswer } from '../../../gpu/probe/answer.ts';
import { html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { facts, table } from '../table.ts';
import { name, sentence } from '../text.ts';

/** Which device it was, and how it computes. */
export function deviceSection({ adapter, arithmetic, probe }: Results): Section {
  const { vendor, architecture, device, dawn, chosenBecause, features, toggles } = adapter;
  const fingerprint = facts([
    ['vendor', name(vendor)],
    ['architecture', name(architecture)],
    ['device', name(device)],
    ['implementation', name(dawn)],
    ['chosen because', sentence(chosenBecause)],
    ...Object.entries(arithmetic)
      .slice(0, MOST_FACTS)
      .map(([fact, value]): [string, string] => [inWords(fact), said(value)]),
  ]);
  const offered = html`<p class="note">Features: ${list(features)}. Toggles: ${list(toggles)}.</p>`;
  return {
    id: 'device',
    title: 'The device',
    body: html`${fingerprint}${offered}${probeTable(probe ?? [])}`,
  };
}

const MOST_FACTS = 40;
const MOST_ANSWERS = 120;

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : sentence(names.join(', '));
}

/** "flushesSubnormals": "flushes subnormals". */
function inWords(fact: string): string {
  return name(
    fact.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`),
  );
}

function said(value: boolean | number | string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : sentence(value);
}

const STANDINGS: Readonly<Record<ProbeAnswer['standing'], string>> = {
  ieee: 'as IEEE 754',
  allowed: 'otherwise, as WGSL allows',
  broken: 'WGSL forbids it',
  absent: 'not offered',
};

function probeTable(probe: readonly ProbeAnswer[]): Markup | undefined {
  if (probe.length === 0) return undefined;
  const columns = ['', 'question', 'answer', 'WGSL promises', 'standing'].map((heading) => ({ heading }));
  const rows = probe.slice(0, MOST_ANSWERS).map(({ group, question, answer, promise, standing }, at) => ({
    cells: [
      probe[at - 1]?.group === group ? '' : name(group),
      sentence(question),
      sentence(answer),
      sentence(promise),
      standing === 'broken' ? html`<b class="fail">✗ ${STANDINGS.broken}</b>` : STANDINGS[standing],
    ],
  }));
  const left = probe.length - rows.length;
  const more = left > 0 ? html`<p class="note">${left} more answers in the raw data.</p>` : undefined;
  return html`<h3>Its arithmetic, question by question</h3>${table(columns, rows, html` data-kind="probe"`)}${more}`;
}
