/** Kernels that are named, where several have the same said of them. */
const NAMED = 3;

/** Notes, of which those that say the same of several kernels are one; a note names its kernel as a word. */
export function sharedNotes(notes: readonly string[], kernels: readonly string[]): string[] {
  const known = new Set(kernels);
  const shared = new Map<string, { readonly note: string; readonly others: string[] }>();
  for (const note of notes) {
    const words = note.split(' ');
    const at = words.findIndex((word) => known.has(word));
    const key = words.map((word, place) => (place === at ? '' : word)).join(' ');
    const same = shared.get(key);
    if (same === undefined) shared.set(key, { note, others: [] });
    else if (at >= 0) same.others.push(words[at]);
  }
  return [...shared.values()].map(({ note, others }) => `${note}${sameOf(others)}`);
}

function sameOf(others: readonly string[]): string {
  if (others.length === 0) return '';
  const named = others.slice(0, NAMED);
  const left = others.length - named.length;
  const parts = left > 0 ? [...named, `${left} more`] : named;
  const listed = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return ` The same holds for ${listed}.`;
}
