import { EXIT } from '../../base/errors.ts';
import { toOneLine } from '../../base/printable.ts';
import type { Arithmetic, Fingerprint } from '../../gpu/device.ts';
import { type FoundAdapter, findAdapters } from '../../gpu/node/adapters.ts';
import { chooseAdapter, openChoice, openNodeDevice } from '../../gpu/node/open.ts';
import { probeDevice } from '../../gpu/probe/probe.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { probeTable } from '../../pages/sections/device.ts';
import { flushingOf } from '../../precision/arithmetic.ts';
import { f32, tinyOf } from '../../precision/format.ts';
import { makeFactsTable, type Table, tonedCell } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../../report/terminal/text.ts';
import { printTables } from '../print-tables.ts';

/** An adapter, opened once to identify it; only its name if it does not open. */
export interface SurveyedDevice {
  readonly name: string;
  readonly kind: FoundAdapter['kind'];
  readonly backend: string;
  readonly source: FoundAdapter['source'];
  /** True if a gate that names no adapter would use it. */
  readonly chosen: boolean;
  readonly fingerprint?: Fingerprint;
  readonly arithmetic?: Arithmetic;
  readonly limits?: Readonly<Record<string, number>>;
  /** Time from asking for the adapter to an open and measured device, in milliseconds. */
  readonly openedIn?: number;
  readonly error?: string;
}

/** The output of `devices`. */
export interface Survey {
  readonly devices: readonly SurveyedDevice[];
  /** The reason why a gate that names no adapter uses the chosen one. */
  readonly because?: string;
  readonly notes: readonly string[];
}

/** Prints the adapters. @returns the exit code: that of `no-adapter` if none opens */
export async function runDevices({ json }: { readonly json?: true | undefined }): Promise<number> {
  const survey = await surveyDevices();
  console.log(
    json === true ? JSON.stringify(survey, undefined, 2) : describeSurvey(survey, lookFor(process.stdout)),
  );
  return survey.devices.some(({ error }) => error === undefined) ? EXIT.pass : EXIT.noAdapter;
}

/** Opens every adapter of the machine in turn. */
export async function surveyDevices(): Promise<Survey> {
  const found = await findAdapters();
  const devices: SurveyedDevice[] = [];
  const choice = found.adapters.length > 0 ? chooseAdapter(found) : undefined;
  for (const adapter of found.adapters) devices.push(await survey(adapter, adapter === choice?.adapter));
  return { devices, notes: found.notes, ...(choice && { because: choice.because }) };
}

async function survey(adapter: FoundAdapter, chosen: boolean): Promise<SurveyedDevice> {
  const { name, kind, backend, source } = adapter;
  const listed = { name, kind, backend, source, chosen };
  const start = performance.now();
  try {
    const open = await openChoice({ adapter, because: 'all are listed' });
    const openedIn = Math.round(performance.now() - start);
    const { fingerprint, arithmetic } = open;
    const limits = Object.fromEntries(shownLimits.map(({ limit }) => [limit, open.limits[limit]]));
    open.close();
    return { ...listed, fingerprint, arithmetic, limits, openedIn };
  } catch (error) {
    return { ...listed, error: (error as Error).message };
  }
}

const MIB = 2 ** 20;
const shownLimits = [
  { limit: 'maxBufferSize', show: (x: number) => `buffers of ${(x / MIB).toFixed()} MiB` },
  { limit: 'maxStorageBufferBindingSize', show: (x: number) => `bindings of ${(x / MIB).toFixed()} MiB` },
  { limit: 'maxComputeInvocationsPerWorkgroup', show: (x: number) => `workgroups of ${x}` },
  { limit: 'maxComputeWorkgroupStorageSize', show: (x: number) => `with ${x / 1024} KiB` },
] as const;

export function describeSurvey({ devices, because, notes }: Survey, look: TerminalStyle): string {
  const none = devices.length === 0 ? ['No GPU adapter was found on this machine.'] : [];
  const chosen = because === undefined ? notes : [`* default adapter of a gate: ${because}`];
  const said = [...none, ...chosen].flatMap((line) => wrapText(toOneLine(line), look.width));
  return [terminalTables(devices.map(factsOfDevice), look), ...said].join('\n');
}

function factsOfDevice(device: SurveyedDevice): Table {
  const { name, kind, backend, source, chosen, fingerprint, arithmetic, limits, openedIn, error } = device;
  return makeFactsTable(`${chosen ? '* ' : ''}${name} (${kind}, ${backend}, ${source})`, [
    ['error', error === undefined ? undefined : tonedCell(error, 'bad')],
    ['id', fingerprint?.id],
    ['driver', fingerprint?.driver],
    ['through', fingerprint?.dawn],
    ['arithmetic', arithmetic && describeArithmetic(arithmetic)],
    ['limits', limits && shownLimits.map(({ limit, show }) => show(limits[limit])).join(', ')],
    ['features', fingerprint?.features.filter((feature) => COMPUTING.has(feature)).join(', ') || undefined],
    ['opened in', openedIn === undefined ? undefined : `${openedIn} ms`],
  ]);
}

// Features that matter to computing; most others are about textures.
const COMPUTING = new Set([
  'shader-f16',
  'subgroups',
  'subgroup-size-control',
  'timestamp-query',
  'chromium-experimental-subgroup-matrix',
]);

const TINY = tinyOf(f32);
const FLUSHED = new Map<number, string>([
  [TINY.beforeRounding, 'results that are tiny before rounding'],
  [TINY.afterRounding, 'results that are tiny after rounding'],
  [TINY.afterDenormalizing, 'results that round to a subnormal'],
]);

function describeArithmetic(a: Arithmetic): string {
  const { operands, below } = flushingOf(a);
  const flushed = [operands ? 'operands' : '', FLUSHED.get(below)].filter(Boolean);
  return [
    `fma rounds ${a.fma}`,
    a.rounding === 'nearest' ? '+ and × round to nearest' : '+ or × does not round to nearest',
    flushed.length > 0 ? `subnormals are flushed (${flushed.join(', ')})` : 'subnormals are kept',
    a.modeled ? 'a CPU model has the same bits' : 'no CPU model has the same bits',
    ...(a.exceptions ? [] : ['overflow, infinities or NaN differ from IEEE 754']),
  ].join('; ');
}

interface ProbeRequest {
  readonly adapter?: string | undefined;
  readonly toggles?: readonly string[] | undefined;
  readonly json?: true | undefined;
}

/** Probes a device's arithmetic. @returns the exit code */
export async function runProbe({ adapter, toggles, json }: ProbeRequest): Promise<number> {
  const open = await openNodeDevice({ adapter, toggles });
  const answers = await probeDevice(open);
  open.close();
  const { fingerprint, arithmetic } = open;
  if (json === true) console.log(JSON.stringify({ adapter: fingerprint, arithmetic, answers }, undefined, 2));
  else {
    console.log(`${toOneLine(fingerprint.name)} (${fingerprint.kind}, ${toOneLine(fingerprint.driver)})\n`);
    printTables(probeTable(answers));
  }
  return answers.some(({ standing }) => standing === 'broken') ? EXIT.fail : EXIT.pass;
}
