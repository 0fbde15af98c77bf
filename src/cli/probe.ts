import type { CAC } from 'cac';
import { parseList, parseText } from '../config/flags.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';
import { probeDevice } from '../gpu/probe/probe.ts';
import { EXIT } from '../problems.ts';
import { displayWidth, wrap } from '../report/columns.ts';
import { oneLine } from '../report/printable.ts';

/** Adds the command `probe` to the command line. */
export function registerProbe(cli: CAC): void {
  cli
    .command('probe', 'Ask an adapter how it computes, beside what WGSL promises')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option(
      '--toggle <names>',
      'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
    )
    .option('--json', 'Print JSON')
    .action(runProbe);
}

interface Flags {
  readonly adapter?: string;
  readonly toggle?: string;
  readonly json?: boolean;
}

async function runProbe({ adapter: wanted, toggle, json }: Flags): Promise<number> {
  const adapter = wanted === undefined ? undefined : parseText('--adapter', wanted);
  const toggles = toggle === undefined ? [] : parseList('--toggle', toggle);
  const open = await openNodeDevice({ adapter, toggles });
  const answers = await probeDevice(open);
  open.close();
  const { fingerprint, arithmetic } = open;
  if (json === true) console.log(JSON.stringify({ adapter: fingerprint, arithmetic, answers }, undefined, 2));
  else {
    console.log(`${oneLine(fingerprint.name)} (${fingerprint.kind}, ${oneLine(fingerprint.driver)})\n`);
    console.log(describeAnswers(answers, process.stdout.columns ?? WIDTH));
  }
  return answers.some(({ standing }) => standing === 'broken') ? EXIT.fail : EXIT.pass;
}

const WIDTH = 150;

const marks = { ieee: ' ', allowed: '~', broken: '!', absent: '-' } as const;
const LEGEND = '~ not as IEEE 754, but WGSL allows it; ! WGSL forbids it; - not offered';

/** The answers as text: grouped, in three columns of at most `width` characters together. */
export function describeAnswers(answers: readonly ProbeAnswer[], width: number): string {
  const room = Math.max(width, 60) - 6;
  const widths = [Math.floor(room * 0.32), Math.floor(room * 0.36), Math.floor(room * 0.32)];
  const lines: string[] = [];
  for (const group of new Set(answers.map((answer) => answer.group))) {
    lines.push(...row(' ', [group, '', 'WGSL promises'], widths));
    let said = '';
    for (const { group: of, question, answer, promise, standing } of answers) {
      if (of !== group) continue;
      lines.push(...row(marks[standing], [question, answer, promise === said ? '″' : promise], widths));
      said = promise;
    }
    lines.push('');
  }
  const count = answers.filter(({ standing }) => standing === 'broken').length;
  const verdict = count === 0 ? 'nothing that WGSL forbids' : `${count} that WGSL forbids`;
  return [...lines, LEGEND, `${answers.length} questions; ${verdict}.`].join('\n');
}

function row(mark: string, cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, c) => wrap(oneLine(cell), widths[c]));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => {
    const padded = columns.map((lines, c) => {
      const text = lines[i] ?? '';
      return text + ' '.repeat(Math.max(0, widths[c] - displayWidth(text)));
    });
    return `${i === 0 ? mark : ' '} ${padded.join('  ')}`.trimEnd();
  });
}
