import { oneLine } from '../../../base/printable.ts';
import { html, type Markup } from '../../../report/html/markup.ts';

/** Longer commands are cut: they name cases that failed together. */
export const LONGEST_COMMAND = 2000;

/** A command, which the script adds a button to that copies it. */
export const commandOf = (command: string): Markup =>
  html`<span class="command"><code>${oneLine(command, LONGEST_COMMAND)}</code></span>`;
