import { cpus } from 'node:os';
import { parseNumber } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { type PrecisionName, precisions } from '../formats/precision.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix } from '../matrix/dense.ts';
import { EXIT, problem } from '../problems.ts';
import type { Certificate } from '../reference/certificate.ts';
import { goldProduct } from '../reference/gold.ts';
import { writeWhole } from '../report/node/write-report.ts';
import { benchReferenceText } from './bench-reference-text.ts';
import type { BenchReference, WayTime } from './bench-reference-times.ts';
import { type Computed, openWays, type Way } from './bench-reference-ways.ts';
import { jsonFile } from './json-file.ts';
import type { Output } from './reference.ts';

/** The options of `bench reference`, as parsed from the command line. */
export interface BenchReferenceOptions {
  readonly size?: unknown;
  readonly runs?: unknown;
  readonly json?: unknown;
}

/** What is timed: all ways on the first, ours on each. */
const timed: readonly { readonly input: string; readonly precision: PrecisionName }[] = [
  { input: 'uniform', precision: 'f32' },
  { input: 'wide-exponents', precision: 'f32' },
  { input: 'uniform', precision: 'f16' },
  { input: 'uniform', precision: 'f64' },
];

/**
 * `bench reference [--size 1024] [--runs 3] [--json [file]]`: times the ways to compute an exact product, after checking that they
 * give the same bits.
 * @returns the exit code.
 * @throws Problem `bad-number`, `json-unwritable`, `references-differ`
 */
export async function runBenchReference(options: BenchReferenceOptions, output: Output): Promise<number> {
  const size = options.size === undefined ? 1024 : parseNumber('--size', options.size, ranges.size);
  const runs = options.runs === undefined ? 3 : parseNumber('--runs', options.runs, ranges.runs);
  const file = await jsonFile(options.json);
  const { ways, leftOut } = await openWays();
  try {
    for (const { input, precision } of timed) {
      await requireSameBits(input === 'uniform' && precision === 'f32' ? ways : ours(ways), input, precision);
    }
    const inputs: BenchReference['inputs'][number][] = [];
    for (const { input, precision } of timed) {
      process.stderr.write(`Timing ${input} ${precision}, ${size}³.\n`);
      const asked =
        inputs.length === 0 ? ways : ours(ways).filter(({ threads }) => threads === ways[0].threads);
      inputs.push({ input, precision, times: await timeWays(asked, { input, precision, size, runs }) });
    }
    const [{ model }, ...others] = cpus();
    const machine = { cpu: model, cores: others.length + 1, node: process.version };
    const report: BenchReference = { machine, size, runs, inputs, leftOut };
    const data = `${JSON.stringify(report, null, 2)}\n`;
    if (file !== undefined) await writeWhole(file, data);
    output.write(options.json === true ? data : benchReferenceText(report));
    return EXIT.pass;
  } finally {
    for (const { close } of ways) await close?.();
  }
}

const ours = (ways: readonly Way[]) => ways.filter(({ isOurs }) => isOurs);

function pairOf(input: string, precision: PrecisionName, m: number, k: number, n: number) {
  return findInput(input).generate({ m, k, n, seed: 1, precision: precisions[precision] });
}

/** Compares every way, bit for bit, with decimal arithmetic. @throws Problem `references-differ` */
async function requireSameBits(ways: readonly Way[], input: string, precision: PrecisionName) {
  const { a, b } = pairOf(input, precision, 13, 31, 11);
  const gold = goldProduct(a, b);
  for (const way of ways) requireEqual(way.name, (await way.product(a, b)).product, gold);
}

function requireEqual(way: string, found: Matrix, expected: Matrix): void {
  const at = found.data.findIndex((x, e) => !Object.is(x, expected.data[e]));
  if (at < 0) return;
  throw problem('references-differ', {
    way,
    entry: `(${Math.floor(at / expected.cols)}, ${at % expected.cols})`,
    shape: `${expected.rows}×${expected.cols}`,
    found: found.data[at],
    expected: expected.data[at],
  });
}

interface Timing {
  readonly input: string;
  readonly precision: PrecisionName;
  readonly size: number;
  readonly runs: number;
}

/** Times the ways in turns, so that what else the machine does meets all of them; products of one size must be the same. */
async function timeWays(ways: readonly Way[], { input, precision, size, runs }: Timing): Promise<WayTime[]> {
  const seconds = ways.map((): number[] => []);
  const certificates: (Certificate | undefined)[] = [];
  const first = new Map<number, Computed>();
  for (let run = 0; run < runs; run++) {
    for (const [at, way] of ways.entries()) {
      const own = Math.min(size, way.upTo);
      const { a, b } = pairOf(input, precision, own, own, own);
      if (way.time !== undefined) {
        seconds[at].push(await way.time(a, b));
        continue;
      }
      const start = performance.now();
      const computed = await way.product(a, b);
      seconds[at].push((performance.now() - start) / 1000);
      certificates[at] = computed.certificate;
      const before = first.get(own);
      if (before === undefined) first.set(own, computed);
      else requireEqual(way.name, computed.product, before.product);
    }
  }
  return ways.map((way, at) => {
    const own = Math.min(size, way.upTo);
    const sorted = seconds[at].sort((x, y) => x - y);
    const [least, median] = [sorted[0], sorted[Math.floor(sorted.length / 2)]];
    const { name, threads } = way;
    const products = own ** 3 / least;
    return { way: name, threads, size: own, least, median, products, certificate: certificates[at] };
  });
}
