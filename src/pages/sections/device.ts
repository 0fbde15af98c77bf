import type { ProbeAnswer } from '../../gpu/probe/question.ts';
import { formatCount, formatShort } from '../../report/numbers.ts';
import {
  columnsOf,
  makeFactsTable,
  type Table,
  type TableCell,
  type Tone,
  tonedCell,
} from '../../report/table.ts';
import type { Results } from '../../run/results.ts';
import { kindOf } from '../verdict.ts';

/** Tabulates the program, the device and the time of the run. */
export function runFacts({ adapter, version, command, createdAt, seed, cases }: Results): Table {
  return makeFactsTable('Run', [
    ['adapter', `${adapter.name} (${[...new Set([kindOf(adapter), adapter.backend])].join(', ')})`],
    ['driver', adapter.driver],
    ['fingerprint', adapter.id],
    ['command', command],
    ['made', `${createdAt} by gemm-paranoia ${version}, seed ${seed}`],
    ['compared', compared(cases)],
  ]);
}

/** Describes the share of entries that were compared with the exact product. */
function compared(cases: Results['cases']): string {
  const sampled = cases.filter(({ checkedShare = 1 }) => checkedShare < 1);
  if (cases.length === 0) return 'no case ran';
  if (sampled.length === 0) return 'every entry of every product, with the exact product';
  const least = sampled.reduce((share, { checkedShare = 1 }) => Math.min(share, checkedShare), 1);
  const summed = sampled.filter(({ judgedBy }) => judgedBy !== undefined).length;
  const beside = summed === 0 ? '' : `, and in ${summed} of them all in random signed sums`;
  return `in ${formatCount(sampled.length, 'case')} of ${cases.length} a sample of the entries, the smallest ${formatShort(100 * least, 2)} %${beside}; in the others all entries`;
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

export function deviceFacts({ adapter, arithmetic }: Pick<Results, 'adapter' | 'arithmetic'>): Table {
  const { vendor, architecture, device, dawn, chosenBecause, features, toggles } = adapter;
  const measured = Object.entries(arithmetic).map(([fact, value]): [string, TableCell] => [
    inWords(fact),
    said(value),
  ]);
  return makeFactsTable('The device', [
    ['vendor', vendor],
    ['architecture', architecture],
    ['device', device],
    ['implementation', dawn],
    ['chosen because', chosenBecause],
    ...measured,
    ['features', list(features)],
    ['toggles', list(toggles)],
  ]);
}

/** Splits a key into words: "flushesSubnormals" becomes "flushes subnormals". */
const inWords = (fact: string): string =>
  fact.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

function said(value: Results['arithmetic'][string]): string {
  if (typeof value === 'object') {
    return `${value.operands ? 'operands, and ' : ''}results below ${said(value.below)}, flushed`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;
}

const STANDINGS: Readonly<Record<ProbeAnswer['standing'], readonly [string, Tone?]>> = {
  ieee: ['as IEEE 754'],
  allowed: ['~ different, as WGSL allows'],
  broken: ['✗ WGSL forbids it', 'bad'],
  absent: ['- not offered', 'faint'],
};

/** Tabulates the device's arithmetic, question by question, beside the promises of WGSL. */
export function probeTable(answers: readonly ProbeAnswer[]): Table {
  const rows = answers.map(({ group, question, answer, promise, standing }, at) => [
    answers[at - 1]?.group === group ? '' : group,
    question,
    answer,
    promise,
    tonedCell(...(STANDINGS[standing] as [string, Tone | undefined])),
  ]);
  const broken = answers.filter(({ standing }) => standing === 'broken').length;
  const verdict = broken === 0 ? 'all allowed by WGSL' : `${broken} forbidden by WGSL`;
  return {
    title: 'Device arithmetic',
    columns: columnsOf('text', 'of', 'question', 'answer', 'WGSL promises', 'standing'),
    rows,
    note: `${answers.length} questions; ${verdict}.`,
  };
}
