import type { Arithmetic } from '../../formats/arithmetic.ts';
import type { Machine, OpenDevice } from '../../gpu/device.ts';
import { foreignArithmetic } from '../../gpu/foreign/foreign-arithmetic.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { assumedArithmetic } from '../../kernel/assumed-arithmetic.ts';
import type { Catalogue } from '../../kernel/catalogue.ts';
import { foreignKernel } from '../../kernel/foreign.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Session } from '../../kernel/session.ts';
import type { UserKernel } from '../../kernel/user-kernel.ts';
import { type KernelOf, kernelOf } from '../run-gate.ts';
import { processor } from './processor.ts';

/** What a workshop needs to know. */
export interface WorkshopOptions {
  readonly catalogue: Catalogue;
  readonly adapter?: string | undefined;
  readonly toggles?: readonly string[] | undefined;
  /** Opens a user's kernel; `device` is the device in use. */
  readonly sessionOf: (spec: UserKernel, device: () => OpenDevice) => Session;
}

/** Versions by what they are of, by kernel. */
export type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The machine of a run and the kernels on it; devices and sessions are opened when they are first needed. */
export interface Workshop {
  readonly machine: Machine;
  readonly kernelOf: KernelOf;
  /** Replaces a lost device. */
  reopen(): Promise<Machine>;
  /** What the user's kernels that were opened say of their versions. */
  versions(): Promise<Versions>;
  close(): Promise<void>;
}

/**
 * Opens what kernels of these names need: a GPU device, or nothing but this computer.
 * @throws Problem `no-adapter`, `device-refused`
 */
export async function openWorkshop(names: readonly string[], options: WorkshopOptions): Promise<Workshop> {
  const { catalogue, adapter, toggles = [], sessionOf } = options;
  const openDevice = () => openNodeDevice({ adapter, toggles });
  const onDevice = names.some((name) => needsDevice(catalogue.foreign(name)));
  let machine: Machine = onDevice ? await openDevice() : processor();
  const sessions = new Map<string, Session>();
  const sessionFor = (spec: UserKernel) => {
    const session = sessions.get(spec.name) ?? sessionOf(spec, () => machine as OpenDevice);
    sessions.set(spec.name, session);
    return session;
  };
  return {
    machine,
    async kernelOf(value, current): Promise<Kernel> {
      const spec = catalogue.foreign(value.kernel);
      if (spec === undefined) return kernelOf(value, current);
      return foreignKernel(spec, sessionFor(spec), await arithmeticOf(spec, current));
    },
    async reopen() {
      machine.close();
      machine = await openDevice();
      return machine;
    },
    async versions() {
      const said = await Promise.all(
        [...sessions].map(async ([name, session]) => [name, await session.versions()] as const),
      );
      return Object.fromEntries(said.filter(([, versions]) => Object.keys(versions).length > 0));
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      machine.close();
    },
  };
}

/** Whether a kernel, built-in where there is no spec, computes on our adapter. */
function needsDevice(spec: UserKernel | undefined): boolean {
  if (spec === undefined || 'wgsl' in spec || 'encode' in spec) return true;
  return 'usesAdapter' in spec && spec.usesAdapter === true;
}

async function arithmeticOf(spec: UserKernel, machine: Machine): Promise<Arithmetic> {
  const { precision = 'f32', claims = {} } = spec;
  return needsDevice(spec)
    ? foreignArithmetic(precision, machine as OpenDevice, claims)
    : assumedArithmetic(precision, claims);
}
