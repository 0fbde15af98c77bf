/**
 * Finds the shortest part of a list that fails, in its order, by delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002, ddmin): its parts are tried, then the remainder without each, then smaller parts. No item can be left out
 * of the returned list, unless the search was ended.
 * @param all a failing list.
 * @param ended called before each try; true ends the search.
 */
export async function findShortest<T>(
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

/** Returns a failing part of the list, or the failing list without one part, and the number of parts for the next cut. */
async function smaller<T>(
  list: readonly T[],
  parts: number,
  fails: (part: readonly T[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<{ items: readonly T[]; parts: number } | undefined> {
  const cut = (part: number) => Math.floor((part * list.length) / parts);
  // The last part is tried first: the spoiling case is often the one before.
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
