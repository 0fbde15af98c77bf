import type { CaseResult } from '../../../gate/results.ts';
import { standingOf, standings } from '../../standing.ts';
import { html, type Markup } from '../markup.ts';
import { name } from '../text.ts';

// Longer menus are no help: the text field finds the rest.
const MOST_OPTIONS = 32;

/** The controls above the table of cases; hidden until the script that they need runs. */
export function filters(cases: readonly CaseResult[]): Markup {
  const has = new Set(cases.map(standingOf));
  const inputs = [...new Set(cases.map(({ input }) => name(input)))].slice(0, MOST_OPTIONS);
  return html`<form id="filters" hidden><label>verdict <select name="verdict">${option('', 'all')}${standings.filter((verdict) => has.has(verdict)).map((verdict) => option(verdict, verdict))}</select></label><label>algorithm <select name="kernel">${option('', 'all')}${kernelOptions(cases)}</select></label><label>input <select name="input">${option('', 'all')}${inputs.map((input) => option(input, input))}</select></label><label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><output></output></form>`;
}

/** An option for each algorithm, which stands for its kernels, and one for each kernel. */
function kernelOptions(cases: readonly CaseResult[]): Markup[] {
  const kernels = new Map<string, Set<string>>();
  for (const { algorithm, kernel } of cases) {
    const of = kernels.get(algorithm) ?? new Set<string>();
    kernels.set(algorithm, of.add(name(kernel)));
  }
  return [...kernels].slice(0, MOST_OPTIONS / 4).map(([algorithm, all]) => {
    // An option must stand for all of an algorithm's kernels or not be there.
    const whole = all.size <= MOST_OPTIONS ? option([...all].join('\n'), name(algorithm)) : undefined;
    const names = [...all].slice(0, MOST_OPTIONS / 4);
    const each = names.length > 1 ? names.map((kernel) => option(kernel, `  ${kernel}`)) : [];
    return html`${whole}${each}`;
  });
}

function option(value: string, text: string): Markup {
  return html`<option value="${value}">${text}`;
}
