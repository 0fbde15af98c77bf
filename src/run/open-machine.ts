import { EXIT, ParanoiaError } from '../base/errors.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import type { Claims } from '../kernels/claims.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import type { Kernel, KernelSession } from '../kernels/kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { type Arithmetic, assumed } from '../precision/arithmetic.ts';
import { applyClaims, type Computation, type Precision } from '../precision/precision.ts';
import { type KernelResolver, kernelOf, loadComputation } from './kernel-of.ts';
import type { RunCatalog } from './run-catalog.ts';

export interface MachineOptions {
  readonly catalog: RunCatalog;
  /** Opens a device: the first, and another after it is lost. */
  readonly openDevice: () => Promise<OpenDevice>;
  /** Returns the machine of kernels that need no device. */
  readonly processor: () => Machine;
  /** Opens a user's kernel; `device` is the device in use. */
  readonly sessionOf: (
    spec: UserKernel,
    device: () => OpenDevice,
    precision: Precision,
  ) => KernelSession | Promise<KernelSession>;
}

/** Versions by component, by kernel. */
export type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The machine of a run and its kernels. Devices and sessions are opened on first use. */
export interface OpenMachine extends Pick<MachineOptions, 'catalog'> {
  readonly machine: Machine;
  readonly kernelOf: KernelResolver;
  /** Replaces a lost device. */
  reopen(): Promise<Machine>;
  /**
   * Opens the user's kernels among these.
   * @throws ParanoiaError `bad-kernel`, `peer-missing`, … where one can never multiply. Other errors of a kernel appear in its products.
   */
  start(kernels: readonly string[]): Promise<void>;
  /** Returns the versions that the open kernels report. Programs report theirs with their first product. */
  versions(): Promise<Versions>;
  close(): Promise<void>;
}

/**
 * Opens what kernels of these names need: a GPU device, or only this computer.
 * @throws ParanoiaError `no-adapter`, `device-refused`
 */
export async function openMachine(names: readonly string[], options: MachineOptions): Promise<OpenMachine> {
  const { catalog, openDevice, processor, sessionOf } = options;
  const onDevice = names.some((name) => needsDevice(catalog.external(name)));
  let machine: Machine = onDevice ? await openDevice() : processor();
  const sessions = new Map<string, KernelSession>();
  const opening = new Map<string, Promise<KernelSession>>();
  const opened = async (spec: UserKernel) => {
    try {
      const session = await sessionOf(spec, () => machine as OpenDevice, precisionOf(spec, catalog));
      sessions.set(spec.name, session);
      return session;
    } finally {
      opening.delete(spec.name);
    }
  };
  const sessionFor = async (spec: UserKernel) => {
    const known = sessions.get(spec.name) ?? opening.get(spec.name) ?? opened(spec);
    if (known instanceof Promise) opening.set(spec.name, known);
    return known;
  };
  return {
    ...{ catalog, machine },
    async kernelOf(value, current): Promise<Kernel> {
      const spec = catalog.external(value.kernel);
      if (spec === undefined) return kernelOf(value, current, catalog);
      const session = await sessionFor(spec);
      const computation = await computationOf(spec, current, catalog);
      return externalKernel(spec, session, computation, catalog.algorithms);
    },
    async reopen() {
      machine.close();
      machine = await openDevice();
      return machine;
    },
    async start(kernels) {
      for (const spec of kernels.flatMap((name) => catalog.external(name) ?? [])) {
        await versionsOf(await sessionFor(spec));
      }
    },
    async versions() {
      const said: [string, Readonly<Record<string, string>>][] = [];
      for (const [name, session] of sessions) said.push([name, await versionsOf(session)]);
      return Object.fromEntries(said.filter(([, versions]) => Object.keys(versions).length > 0));
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close?.()));
      machine.close();
    },
  };
}

/** Returns the versions of a session. @throws ParanoiaError if the caller can fix it */
async function versionsOf(session: KernelSession): Promise<Readonly<Record<string, string>>> {
  try {
    return (await session.versions?.()) ?? {};
  } catch (error) {
    if (!(error instanceof ParanoiaError) || error.exitCode === EXIT.usage) throw error;
    return {};
  }
}

/** True if a kernel, built-in where there is no spec, computes on our adapter. */
function needsDevice(spec: UserKernel | undefined): boolean {
  if (spec === undefined || 'wgsl' in spec || 'encode' in spec) return true;
  return 'usesAdapter' in spec && spec.usesAdapter === true;
}

const precisionOf = ({ precision = 'f32' }: UserKernel, { precisions }: CaseItems): Precision =>
  precisions.find(precision);

function computationOf(spec: UserKernel, machine: Machine, items: CaseItems): Promise<Computation> {
  const open = needsDevice(spec) ? (machine as OpenDevice) : undefined;
  return externalComputation(precisionOf(spec, items), spec.claims, open);
}

/** Joins the versions of kernels from several runs or processes. Later ones replace earlier ones. */
export const joinVersions = (all: readonly Versions[]): Versions =>
  Object.fromEntries(all.flatMap((versions) => Object.entries(versions)));

/** Arithmetic of converted f16: WGSL lets conversions give either neighbor, and any value on overflow. */
const CONVERTED: Arithmetic = { ...assumed, rounding: 'faithful', exceptions: false };

/**
 * Returns the arithmetic that bounds and expected errors assume of an external kernel. On an open device, subnormals, rounding and
 * exceptions are as measured with built-in shaders. Formats that the device does not compute in itself (f64 and pairs; f16 without
 * shader-f16, where kernels convert between f16 and f32) are not measured, nor is any format without a device.
 */
export async function externalComputation(
  precision: Precision,
  claims?: Claims,
  open?: OpenDevice,
): Promise<Computation> {
  return applyClaims(precision, claims, open && (await measuredIn(precision, open)));
}

async function measuredIn({ accumulated }: Precision, open: OpenDevice): Promise<Arithmetic | undefined> {
  const { native } = accumulated;
  if (native === undefined) return undefined;
  if (native !== 'f16') return open.arithmetic;
  const { factsOf } = await loadComputation();
  return (await factsOf(open).half()) ?? CONVERTED;
}
