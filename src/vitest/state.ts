/** What Vitest tells a matcher about the test it is called in. */
export interface MatcherState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The command that runs the test of a matcher alone. */
export function replayOf({ testPath, currentTestName }: MatcherState): string {
  const file = testPath === undefined ? '' : ` ${testPath}`;
  // Vitest takes the name for a regular expression, and joins suites and tests by a space.
  const name = currentTestName?.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\']/g, '.');
  return `replay: npx vitest run${file}${name === undefined ? '' : ` -t '${name}'`}`;
}
