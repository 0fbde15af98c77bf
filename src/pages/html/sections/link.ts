import { html, type Markup } from '../../../report/html/markup.ts';

/** Renders a link to a file beside the report, or its name in words where the file may be missing. */
export function linkTo(file: string | undefined): Markup {
  return file === undefined
    ? html`the results file`
    : html`<a href="${encodeURIComponent(file)}">${file}</a>`;
}
