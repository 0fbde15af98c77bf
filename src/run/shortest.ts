/**
 * The shortest part of a list that fails, in its order, by delta debugging (Zeller and Hildebrandt, "Simplifying and
 * isolating failure-inducing input", 2002, ddmin): parts of it are tried, then what is left without each, then smaller ones.
 * No item can be left out of what is returned, unless the search was ended.
 * @param all fails.
 * @param ended asked before each try.
 */
export async function shortest<T>(
  all: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<readonly T[]> {
  let [best, parts] = [all, 2];
  while (best.length > 1 && !ended()) {
    const found = await smaller(best, Math.min(parts, best.length), fails, ended);
    if (found !== undefined) [best, parts] = [found.items, found.parts];
    else if (parts >= best.length) return best;
    else parts *= 2;
  }
  return best;
}

/** One of so many parts of a list that fails, or the list without one; and into how many to cut it next. */
async function smaller<T>(
  list: readonly T[],
  parts: number,
  fails: (part: readonly T[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<{ items: readonly T[]; parts: number } | undefined> {
  const cut = (part: number) => Math.floor((part * list.length) / parts);
  // The last part is tried first: what spoils a product is often the one before.
  const places = Array.from({ length: parts }, (_, at) => parts - 1 - at);
  const tries = [
    ...places.map((part) => ({ items: list.slice(cut(part), cut(part + 1)), parts: 2 })),
    ...(parts === 2 ? [] : places).map((part) => ({
      items: [...list.slice(0, cut(part)), ...list.slice(cut(part + 1))],
      parts: Math.max(2, parts - 1),
    })),
  ];
  for (const one of tries) {
    if (ended()) return undefined;
    if (await fails(one.items)) return one;
  }
  return undefined;
}
