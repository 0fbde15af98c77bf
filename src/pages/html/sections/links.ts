import { toOneLine } from '../../../base/printable.ts';
import { html, type Markup } from '../../../report/html/markup.ts';

/** Renders a link to a file beside the report, or its name in words where the file may be missing. */
export function linkTo(file: string | undefined): Markup {
  return file === undefined
    ? html`the results file`
    : html`<a href="${encodeURIComponent(file)}">${file}</a>`;
}

/** Longest command in full. Longer commands name cases that failed together. */
export const LONGEST_COMMAND = 2000;

/** Renders a command. The script adds a copy button to it. */
export const renderCommand = (command: string): Markup =>
  html`<span class="command"><code>${toOneLine(command, LONGEST_COMMAND)}</code></span>`;
