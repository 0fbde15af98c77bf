import { html, type Markup } from '../../../report/html/markup.ts';

/** A link to a file that lies beside the report; its name in words where it is not known to be there. */
export function linkTo(file: string | undefined): Markup {
  return file === undefined
    ? html`the results file`
    : html`<a href="${encodeURIComponent(file)}">${file}</a>`;
}
