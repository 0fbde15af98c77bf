/** A part of a text in versions, from the shortest to the longest; what there is no room for is left out. */
export interface Part {
  readonly versions: readonly (readonly string[])[];
}

/**
 * Which version of each part fits into so many lines together. Every part in turn gets its first version as long as there is room,
 * then every part its next, so that all are told of before one is told in full.
 * @returns the place of each part's version; −1 of those left out.
 */
export function fitted(parts: readonly Part[], room: number): number[] {
  const chosen = parts.map(() => -1);
  let left = room;
  const longest = parts.reduce((most, { versions }) => Math.max(most, versions.length), 0);
  for (let version = 0; version < longest; version++) {
    for (const [at, { versions }] of parts.entries()) {
      const wanted = versions[version];
      // What was left out stays so: a later version is longer.
      if (wanted === undefined || chosen[at] !== version - 1) continue;
      const more = wanted.length - (versions[version - 1]?.length ?? 0);
      if (more > left) continue;
      chosen[at] = version;
      left -= more;
    }
  }
  return chosen;
}
