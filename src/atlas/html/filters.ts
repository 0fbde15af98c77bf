import { html, type Markup } from '../../report/html/markup.ts';
import type { AtlasCell } from '../cells.ts';
import { shortenName } from './words.ts';

/** The most options of a menu; readers of longer lists use the text field. */
const MOST_OPTIONS = 200;

/** Returns the filter controls, hidden until their script runs. */
export function filters(cells: readonly AtlasCell[]): Markup {
  const distinct = (values: readonly string[]) => [...new Set(values)].sort().slice(0, MOST_OPTIONS);
  const menu = (key: string, values: readonly string[]) =>
    html`<label>${key} <select name="${key}"><option value="">all${distinct(values).map((value) => html`<option>${value}`)}</select></label>`;
  const places = cells.map(({ place }) => place);
  const menus = [
    menu(
      'device',
      places.map(({ device }) => shortenName(device)),
    ),
    menu(
      'driver',
      places.map(({ driver }) => shortenName(driver)),
    ),
    menu(
      'implementation',
      places.map(({ implementation }) => shortenName(implementation)),
    ),
    menu(
      'kernel',
      cells.map(({ kernel }) => shortenName(kernel)),
    ),
    menu(
      'verdict',
      cells.map(({ verdict }) => verdict),
    ),
    menu(
      'finding',
      cells.flatMap(({ kinds }) => kinds.map(shortenName)),
    ),
  ];
  return html`<form id="filters" role="search" hidden>${menus}<label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><p><button type="reset">Show all</button> <output></output></p></form>`;
}
