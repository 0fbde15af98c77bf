import { VERSION } from '../../src/base/version.ts';

/** The outcome of one fault. */
export interface Found {
  /** scenario/kind/role/step/effect */
  readonly id: string;
  /** The step that failed; empty if the run did not reach it. */
  readonly step: string;
  readonly code: number | null;
  readonly signal: string | null;
  /** The requirements that were not met. */
  readonly wrong: readonly string[];
  /** Files that a killed run left, and those of them that remain after the next run. */
  readonly strays: readonly string[];
  readonly kept?: readonly string[];
  /** The last lines of its output. */
  readonly tail: readonly string[];
}

/** The counts of a scenario. */
export interface Counted {
  /** Numbers of possible faults, by scenario, kind and role. */
  readonly possible: Readonly<Record<string, number>>;
  /** The adapter in its results, if they name one. */
  readonly adapter?: string | undefined;
}

/** Describes the system of the runs, and the number of injected and possible faults, without dates. */
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

/** Formats a Markdown table of scenarios by kinds: the number of injected faults, and of wrong runs, in each cell. */
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
