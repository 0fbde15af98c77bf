/** Vitest's data on the test that calls a matcher. */
export interface MatcherState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Makes a result for the undecidable: it fails the assertion, and fails it under `not` as well. */
export const undecided = ({ isNot }: MatcherState, message: () => string): MatcherResult => ({
  pass: isNot === true,
  message,
});

/** Returns the text that names the command to run a matcher's test alone. */
export const replayOfTest = (state: MatcherState): string => `replay: ${commandOf(state)}`;

/**
 * Returns the command that runs one test, such as `npx vitest run src/gemm.test.ts -t 'multiplies'`. `PARANOIA_VITEST` replaces its first
 * three words, for a project whose Vitest has a config elsewhere.
 */
export function commandOf({ testPath, currentTestName }: MatcherState): string {
  const vitest = process.env.PARANOIA_VITEST || 'npx vitest run';
  const file =
    testPath === undefined ? '' : ` ${/^[\w./:\\-]+$/.test(testPath) ? testPath : `'${testPath}'`}`;
  // Vitest takes the name as a regular expression, and joins suites and tests by a space.
  const name = currentTestName?.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\']/g, '.');
  return `${vitest}${file}${name === undefined ? '' : ` -t '${name}'`}`;
}
