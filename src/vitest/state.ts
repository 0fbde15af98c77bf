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

/** What cannot be judged is no match, and under `not` no mismatch either. */
export const undecided = ({ isNot }: MatcherState, message: () => string): MatcherResult => ({
  pass: isNot === true,
  message,
});

/** The command that runs the test of a matcher alone. */
export const replayOf = (state: MatcherState): string => `replay: ${commandOf(state)}`;

/**
 * The command that runs one test, such as `npx vitest run src/gemm.test.ts -t 'multiplies'`. `PARANOIA_VITEST` replaces its first
 * three words, for a project whose Vitest has a config elsewhere.
 */
export function commandOf({ testPath, currentTestName }: MatcherState): string {
  const vitest = process.env.PARANOIA_VITEST || 'npx vitest run';
  const file =
    testPath === undefined ? '' : ` ${/^[\w./:\\-]+$/.test(testPath) ? testPath : `'${testPath}'`}`;
  // Vitest takes the name for a regular expression, and joins suites and tests by a space.
  const name = currentTestName?.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\']/g, '.');
  return `${vitest}${file}${name === undefined ? '' : ` -t '${name}'`}`;
}
