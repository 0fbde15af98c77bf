import type { DefinedAt, Live, LiveReporter } from '../pages/live.ts';
import { lookFor } from '../pages/node/colors.ts';
import { type AnyReporter, reporters, writesFile } from '../pages/node/reporters.ts';
import { type Progress, type ProgressOptions, startProgress, type TextStream } from '../pages/progress.ts';
import type { Results } from '../run/results.ts';

/** What reporters that go along with a run say of it. */
export interface LiveReports {
  /** Begins to show the progress: as a reporter does, else as usual. @param planned infinite where no number of cases is. */
  progress(stream: TextStream, planned: number, usual?: (options: ProgressOptions) => Progress): Progress;
  /** What is printed below the results. */
  closing(results: Results): string;
}

/**
 * Begins with the reporters of these names that go along with a run, and prints what they begin with; in GitHub Actions its
 * annotations are among them.
 * @param known those that names are looked up in. @defaultValue the built-in ones
 */
export function startLive(
  names: readonly string[],
  definedAt: DefinedAt,
  known = reporters,
  env: NodeJS.ProcessEnv = process.env,
): LiveReports {
  const asked = env.GITHUB_ACTIONS === 'true' ? [...names, 'github'] : names;
  const isLive = (reporter: AnyReporter): reporter is LiveReporter => !writesFile(reporter);
  const lives: Live[] = [...new Set(asked)]
    .map(known.find)
    .filter(isLive)
    .map((reporter) => reporter.start());
  process.stdout.write(lives.map(({ opening = '' }) => opening).join(''));
  const shown = lives.find(({ progress }) => progress !== undefined)?.progress;
  return {
    progress: (stream, planned, usual = startProgress) =>
      (shown ?? usual)({ stream, planned, ...lookFor(stream) }),
    closing: (results) => lives.map(({ closing }) => closing?.(results, definedAt) ?? '').join(''),
  };
}
