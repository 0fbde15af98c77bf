import { type TimeSpent, Timing } from '../../evidence/timing.ts';
import { columnsOf } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import type { TerminalStyle } from '../../report/terminal/text.ts';
import { lookFor } from './colors.ts';

/** Starts a timer for a run, whose text is printed at the end. */
export function startRunTimer(): { readonly timing: Timing; text(): string } {
  const timing = new Timing();
  const start = performance.now();
  return {
    timing,
    text() {
      const total = (performance.now() - start) / 1000;
      const peak = process.resourceUsage().maxRSS * 1024;
      const { processes } = timing;
      return timingText(timing.lines(total), { total, peak, processes }, lookFor(process.stderr));
    },
  };
}

/** The duration of a run in seconds, its peak memory in bytes, and the number of processes that judged at once. */
interface RunTotals {
  readonly total: number;
  readonly peak: number;
  readonly processes: number;
}

/** Renders the time of a run, a line for each phase with its share of all processes, and the peak memory of this process. */
export function timingText(
  lines: readonly TimeSpent[],
  { total, peak, processes }: RunTotals,
  look: TerminalStyle,
): string {
  const rows = lines.map(({ what, seconds }) => {
    const share = total > 0 ? (100 * seconds) / (total * processes) : 0;
    return [what, `${seconds.toFixed(1)} s`, `${share.toFixed(0)} %`];
  });
  const where = processes > 1 ? ` in each of ${processes} processes` : '';
  const title = `Total ${total.toFixed(1)} s${where}; peak memory ${(peak / 1e6).toFixed(0)} MB:`;
  const columns = [...columnsOf('text', ''), ...columnsOf('number', '', '')];
  return terminalTables([{ title, columns, rows }], look);
}
