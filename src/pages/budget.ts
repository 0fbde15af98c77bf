/** A part of a text in versions, from the shortest to the longest. A part without room is left out. */
export interface TextPart {
  readonly versions: readonly (readonly string[])[];
}

/**
 * Chooses a version of each part so that all fit into a number of lines. Every part in turn gets its first version as long as there is
 * room, then every part its next. So all parts are mentioned before one is shown in full.
 * @returns the index of each part's version; −1 for parts left out.
 */
export function fitParts(parts: readonly TextPart[], room: number): number[] {
  const chosen = parts.map(() => -1);
  let left = room;
  const longest = parts.reduce((most, { versions }) => Math.max(most, versions.length), 0);
  for (let version = 0; version < longest; version++) {
    for (const [at, { versions }] of parts.entries()) {
      const wanted = versions[version];
      // A part that was left out stays out: a later version is longer.
      if (wanted === undefined || chosen[at] !== version - 1) continue;
      const more = wanted.length - (versions[version - 1]?.length ?? 0);
      if (more > left) continue;
      chosen[at] = version;
      left -= more;
    }
  }
  return chosen;
}
