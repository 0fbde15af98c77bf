import { VERSION } from '../../src/base/version.ts';

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

/** What a scenario was counted to have. */
export interface Counted {
  /** Faults that there are, by scenario, kind and role. */
  readonly possible: Readonly<Record<string, number>>;
  /** What it ran on, where its results say so. */
  readonly adapter?: string | undefined;
}

/** What the faults were injected into, and how many of those that there are: nothing of when. */
export function factsOf(records: readonly Found[], counted: readonly Counted[]): string {
  const met = records.filter(({ step }) => step !== '');
  const possible: Record<string, number> = Object.assign({}, ...counted.map((one) => one.possible));
  const all = Object.values(possible).reduce((sum, count) => sum + count, 0);
  const killed = met.filter(({ signal }) => signal === 'SIGKILL');
  const strays = killed.filter((record) => record.strays.length > 0);
  const adapters = [...new Set(counted.flatMap(({ adapter }) => adapter ?? []))];
  return [
    `gemm-paranoia ${VERSION}, node ${process.versions.node}, ${process.platform} ${process.arch}; ${adapters.join(', ')}.`,
    `${met.length} faults injected; of the ${Object.keys(possible).length} kinds of steps that were counted there are ${all} (each step, each way to fail). ${records.length - met.length} runs did not come to their fault.`,
    `${killed.length} runs were killed outright: ${strays.length} left a temporary file.`,
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
