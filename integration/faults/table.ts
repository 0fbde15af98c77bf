import { packageVersion } from '../../src/cli/program.ts';

/** What came of one fault. */
export interface Found {
  /** scenario/kind/role/step/how */
  readonly id: string;
  /** The step that failed; empty where the run did not come to it. */
  readonly step: string;
  readonly code: number | null;
  readonly signal: string | null;
  /** The demands that were not met. */
  readonly wrong: readonly string[];
  /** What a killed run left, and what of it is there after the next run. */
  readonly strays: readonly string[];
  readonly kept?: readonly string[];
  /** The last lines that it printed. */
  readonly tail: readonly string[];
}

/** What the faults were injected into, and how many of those that there are: nothing of when. */
export function factsOf(
  records: readonly Found[],
  possible: Readonly<Record<string, number>>,
  adapters: ReadonlySet<string | undefined>,
): string {
  const met = records.filter(({ step }) => step !== '');
  const all = Object.values(possible).reduce((sum, count) => sum + count, 0);
  const killed = met.filter(({ signal }) => signal === 'SIGKILL');
  const strays = killed.filter((record) => record.strays.length > 0);
  const kept = strays.filter((record) => (record.kept ?? []).length > 0);
  return [
    `gemm-paranoia ${packageVersion()}, node ${process.versions.node}, ${process.platform} ${process.arch}; ${[...adapters].filter(Boolean).join(', ')}.`,
    `${met.length} faults injected, of ${all} steps and ways to fail that were counted; ${records.length - met.length} runs did not come to theirs.`,
    `${killed.length} were killed outright: ${strays.length} left files, ${kept.length} of them ones that the next run of the same command leaves where they are.`,
    '',
  ].join('\n');
}

/** Scenarios by kinds as a table of Markdown: of each cell how many faults were injected, and how many runs were wrong. */
export function tableOf(records: readonly Found[]): string {
  const met = records.filter(({ step }) => step !== '');
  const part = (at: number) => [...new Set(met.map(({ id }) => id.split('/')[at]))];
  const kinds = part(1);
  const cell = (own: readonly Found[]) => {
    const wrong = own.filter((record) => record.wrong.length > 0).length;
    return own.length === 0 ? '' : wrong === 0 ? `${own.length}` : `${own.length} (${wrong} wrong)`;
  };
  const of = (scenario: string, kind: string) =>
    met.filter(({ id }) => id.startsWith(`${scenario}/${kind}/`));
  const rows = part(0).map((scenario) => [
    scenario,
    ...kinds.map((kind) => cell(of(scenario, kind))),
    cell(met.filter(({ id }) => id.startsWith(`${scenario}/`))),
  ]);
  const sums = [
    'all',
    ...kinds.map((kind) => cell(met.filter(({ id }) => id.split('/')[1] === kind))),
    cell(met),
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const head = ['command', ...kinds, 'all'];
  return line(head) + line(head.map(() => '---')) + [...rows, sums].map(line).join('');
}
