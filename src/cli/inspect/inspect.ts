import { EXIT } from '../../base/errors.ts';
import { lookUp } from '../../base/objects.ts';
import { toOneLine } from '../../base/printable.ts';
import { kernelNames } from '../../config/campaign-of.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import type { RunOptions } from '../../config/options.ts';
import { claimOf, whyUnclaimed } from '../../inspect/claim.ts';
import { contradictions, promisesOf } from '../../inspect/contradictions.ts';
import { inspectKernel } from '../../inspect/inspect-kernel.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import { tryClaim } from '../../inspect/try-claim.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { missingOption } from '../../options/messages.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { findingsTable } from '../../pages/sections/tables.ts';
import type { Method } from '../../problem/method.ts';
import { formatCount, formatDuration } from '../../report/numbers.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../../report/terminal/text.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import { requireFiles } from '../gate/plan.ts';
import type { InspectRequest } from '../options.ts';
import { createStopper } from '../stopper.ts';

/** A kernel in one precision and one method. */
interface Asked {
  readonly kernel: string;
  readonly precision: string;
  readonly method: Method;
}

/** Inspects kernels. @returns the exit code */
export async function runInspect(request: InspectRequest): Promise<number> {
  if ((request.kernels ?? request.files) === undefined)
    throw missingOption({
      option: '--kernel',
      need: 'a name such as strassen:register, or name a file: matmul.py#matmul',
    });
  requireFiles(request, 'inspect');
  const { options, catalog, sessionOf } = await optionsOf(request);
  const asked = askedOf(options, catalog);
  const { adapter, toggles, seed } = options;
  const { ofSizes: sizes } = request;
  for (const n of sizes ?? []) requireExactRoom({ m: n, k: n, n });
  const names = [...new Set(asked.map(({ kernel }) => kernel))];
  const opened = await openNodeMachine(names, { catalog, sessionOf, adapter, toggles });
  const stop = createStopper(undefined);
  try {
    const { machine } = opened;
    await opened.start(names);
    const inspections: Inspection[] = [];
    for (const one of asked) {
      if (stop.asked()) break;
      const kernel = await opened.kernelOf(one, machine);
      const found = await inspectKernel(kernel, {
        ...{ seed, sizes, method: one.method, quick: request.quick === true, stop: stop.asked },
        algorithms: catalog.algorithms,
        onFinding: progress,
      });
      const isExternal = catalog.external(one.kernel) !== undefined;
      const unclaimed = isExternal ? await tryClaim(kernel, found, stop.asked, catalog) : undefined;
      const inspection = {
        ...found,
        ...(unclaimed === undefined ? {} : { unclaimed }),
        contradictions: contradictions(found, promisesOf(kernel, one.method, catalog.algorithms)),
      };
      inspections.push(inspection);
      const versions = lookUp(await opened.versions(), one.kernel);
      if (request.json === true) continue;
      print(one, inspection, machine.fingerprint.name, versions);
      if (isExternal) printClaim(one, inspection, catalog);
    }
    if (request.json === true) {
      const adapter = { id: machine.fingerprint.id, name: machine.fingerprint.name };
      console.log(JSON.stringify({ adapter, versions: await opened.versions(), inspections }, undefined, 2));
    }
    // An interrupted inspection may have missed a wrong claim.
    const cut = stop.asked() ? [EXIT.inconclusive] : [];
    return worst([...inspections.map(inspectExitCode), ...cut]);
  } finally {
    stop.release();
    clearProgress();
    await opened.close();
  }
}

/** Every named kernel in each precision and at each number of levels; external kernels have one of both. */
function askedOf(
  { kernels = [], precisions = ['f32'], levels = [0] }: RunOptions,
  catalog: KernelCatalog,
): Asked[] {
  const method = (level: number): Method => ({ levels: level, fringe: 'pad', tail: 'mask' });
  return [...new Set(kernelNames(kernels).flatMap((pattern) => catalog.expand(pattern)))].flatMap(
    (kernel) => {
      const external = catalog.external(kernel);
      if (external !== undefined)
        return [{ kernel, precision: external.precision ?? 'f32', method: method(0) }];
      return precisions.flatMap((precision) =>
        levels.map((level) => ({ kernel, precision, method: method(level) })),
      );
    },
  );
}

function print(
  { kernel, precision, method }: Asked,
  inspection: Inspection,
  machine: string,
  versions: Readonly<Record<string, string>> = {},
): void {
  clearProgress();
  const level = method.levels === 0 ? '' : ` with ${method.levels} levels`;
  const of = Object.entries(versions).map(([what, version]) => `, ${toOneLine(what)} ${toOneLine(version)}`);
  console.log(`${kernel}${level} on ${toOneLine(machine)}${of.join('')}, claimed precision ${precision}\n`);
  console.log(`${describeInspection(inspection, lookFor(process.stdout))}\n`);
}

/** Prints the claims that an external kernel may make, ready to paste into a config, or into the decorator of a Python file. */
function printClaim(
  { kernel, precision }: Asked,
  inspection: Inspection,
  { precisions }: KernelCatalog,
): void {
  const style = /\.py(#|$)/.test(kernel) ? 'python' : 'javascript';
  const claim = claimOf(inspection, precisions.find(precision), style);
  if (claim === undefined) {
    const why = whyUnclaimed(inspection, precisions.find(precision));
    console.log(`No claim to print. ${toOneLine(why ?? '')}\n`);
    return;
  }
  const where = style === 'python' ? '@paranoia.kernel(…)' : 'defineKernel';
  console.log(`Claim inferred from the outputs, for ${where}:\n\n  ${claim}\n`);
}

/** The worst exit code: first a disproved claim, then a crash, then a kernel that could not be inspected. */
function worst(codes: readonly number[]): number {
  const found = [EXIT.fail, EXIT.crash, EXIT.inconclusive].find((code) => codes.includes(code));
  return found ?? (codes.length === 0 ? EXIT.inconclusive : EXIT.pass);
}

const CLEAR = '\r\u001b[K';

/** Shows the progress on a terminal. */
function progress({ id }: Inspection['findings'][number]): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${CLEAR}${id} …`);
}

function clearProgress(): void {
  if (process.stderr.isTTY === true) process.stderr.write(CLEAR);
}

/** Returns the exit code: 1 for a disproved claim or a wrong product, 5 for a crash, 4 if nothing could be inspected. */
export function inspectExitCode({ findings, contradictions = [], crashes = [] }: Inspection): number {
  if (contradictions.length > 0) return EXIT.fail;
  if (crashes.length > 0) return EXIT.crash;
  return findings.every(({ confidence }) => confidence === 'unknown') ? EXIT.inconclusive : EXIT.pass;
}

/** The number of crashes that are printed; `--json` has all. */
const CRASHES = 3;

/** Formats the findings as a table, then the claims that they disprove. */
export function describeInspection(inspection: Inspection, look: TerminalStyle): string {
  const { findings, contradictions = [], crashes = [], products, seconds } = inspection;
  const listed = (title: string, sentences: readonly string[]) =>
    sentences.length === 0
      ? []
      : [
          title,
          ...sentences
            .flatMap((one) => wrapText(`- ${toOneLine(one)}`, look.width))
            .map((line) => look.colors.red(line)),
        ];
  const verdict =
    contradictions.length === 0 ? ['No claim was disproved.'] : listed('Disproved:', contradictions);
  const more = crashes.length > CRASHES ? [`${crashes.length - CRASHES} more like these.`] : [];
  const crashed = listed('Crashed:', [...crashes.slice(0, CRASHES), ...more]);
  const cost = `${formatCount(findings.length, 'answer')} from ${formatCount(products, 'product')} in ${formatDuration(seconds)}.`;
  return [terminalTables([findingsTable('', findings)], look), ...verdict, ...crashed, cost].join('\n');
}
