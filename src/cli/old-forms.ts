/** Commands of the version before, and what they are now: read for one version more. */
const forms: readonly { readonly words: readonly string[]; readonly now: readonly string[] }[] = [
  { words: ['reproduce'], now: ['--only', 'errors'] },
  { words: ['bench', 'study'], now: ['--only', 'speeds'] },
];

/** A command line in today's form. */
export interface Modern {
  readonly argv: readonly string[];
  /** What to say where it was given in an old form. */
  readonly note?: string;
}

/** Puts `reproduce <study>` and `bench study <name>` into the form of today; others stay as they are. */
export function modernised([node, program, ...words]: readonly string[]): Modern {
  const form = forms.find((one) => one.words.every((word, at) => words[at] === word));
  if (form === undefined) return { argv: [node, program, ...words] };
  const rest = words.slice(form.words.length);
  const old = form.words.join(' ');
  const note = `\`${old} <name>\` is now \`study <name> ${form.now.join(' ')}\`; the old form is read for one version more.`;
  return { argv: [node, program, 'study', ...rest, ...form.now], note };
}
