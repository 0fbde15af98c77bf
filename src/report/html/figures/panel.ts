import { html, type Markup } from '../markup.ts';
import type { Axis } from './axis.ts';
import { tenth } from './palette.ts';

/** The drawing of a panel in units of its own, which are about CSS pixels. */
export const PANEL = { width: 264, height: 236, left: 46, right: 8, top: 8, bottom: 36 } as const;

/** Where the horizontal and vertical axes of a panel run. */
export const ACROSS = [PANEL.left, PANEL.width - PANEL.right] as const;
export const UPWARDS = [PANEL.height - PANEL.bottom, PANEL.top] as const;

/** What a panel shows. */
export interface PanelContent {
  /** Printed above the panel. */
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly body: Markup;
}

/** A panel: a small drawing with two axes. */
export function panel({ title, x, y, body }: PanelContent): Markup {
  const [left, right] = ACROSS;
  const [bottom, top] = UPWARDS;
  const middle = (left + right) / 2;
  return html`<figure class="panel"><figcaption>${title}</figcaption><svg viewBox="0 0 ${PANEL.width} ${PANEL.height}" role="img" aria-label="${title}: ${y.label} against ${x.label}"><path class="grid" d="${gridLines(x, y)}"/>${lanes(y)}<path class="axis" d="M${left} ${top}V${bottom}H${right}"/><g class="y">${y.ticks.map(({ at, text }) => html`<text x="${left - 5}" y="${tenth(at + 3.5)}">${text}</text>`)}</g><g class="x">${x.ticks.map(({ at, text }) => html`<text x="${tenth(at)}" y="${bottom + 13}">${text}</text>`)}<text class="label" x="${middle}" y="${PANEL.height - 5}">${x.label}</text><text class="label" transform="translate(9 ${(top + bottom) / 2})rotate(-90)">${y.label}</text></g>${body}</svg></figure>`;
}

function gridLines(x: Axis, y: Axis): string {
  const [left, right] = ACROSS;
  const [bottom, top] = UPWARDS;
  const across = y.ticks.map(({ at }) => `M${left} ${tenth(at)}H${right}`);
  const upwards = x.ticks.map(({ at }) => `M${tenth(at)} ${bottom}V${top}`);
  return [...across, ...upwards].join('');
}

function lanes({ lanes }: Axis): Markup[] {
  const [left, right] = ACROSS;
  return lanes.map(
    ({ at, text }) =>
      html`<rect class="lane" x="${left}" y="${at - 6}" width="${right - left}" height="12"/><text class="lane-name" x="${left - 5}" y="${at + 3.5}">${text}</text>`,
  );
}

/** Panels beside one another, as many as there is room for. */
export function panels(drawn: readonly Markup[]): Markup {
  return html`<div class="panels">${drawn}</div>`;
}
