import { type TimeSpent, Timing } from '../gate/timing.ts';

/** What `--timing` says of itself, wherever it is an option. */
export const timingHelp = 'Say at the end where the time went';

/** A watch for a run that starts now, and what to print when it has ended. */
export function watch(): { readonly timing: Timing; text(): string } {
  const timing = new Timing();
  const start = performance.now();
  return {
    timing,
    text() {
      const total = (performance.now() - start) / 1000;
      return timingText(timing.lines(total), total, process.resourceUsage().maxRSS * 1024);
    },
  };
}

/** Where the time of a run went, a line a phase, and the most memory it took. */
export function timingText(lines: readonly TimeSpent[], total: number, peak: number): string {
  const width = Math.max(...lines.map(({ what }) => what.length));
  const rows = lines.map(({ what, seconds }) => {
    const share = total > 0 ? (100 * seconds) / total : 0;
    return `  ${what.padEnd(width)}  ${seconds.toFixed(1).padStart(7)} s  ${share.toFixed(0).padStart(3)} %`;
  });
  return [
    `${total.toFixed(1)} s went by; at most ${(peak / 1e6).toFixed(0)} MB were in use:`,
    ...rows,
    '',
  ].join('\n');
}
