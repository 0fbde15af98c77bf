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
import { EXIT, Problem } from '../../problems.ts';
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
  /**
   * Opens the user's kernels among these.
   * @throws Problem `bad-kernel`, `peer-missing`, … where one can never multiply; what else is wrong with one shows in its
   * products.
   */
  start(kernels: readonly string[]): Promise<void>;
  /** What the opened ones say of their versions: programs do with their first product. */
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
    async start(kernels) {
      for (const spec of kernels.flatMap((name) => catalogue.foreign(name) ?? [])) {
        await versionsOf(sessionFor(spec));
      }
    },
    async versions() {
      const said: [string, Readonly<Record<string, string>>][] = [];
      for (const [name, session] of sessions) said.push([name, await versionsOf(session)]);
      return Object.fromEntries(said.filter(([, versions]) => Object.keys(versions).length > 0));
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      machine.close();
    },
  };
}

/** @throws Problem that whoever called can mend */
async function versionsOf(session: Session): Promise<Readonly<Record<string, string>>> {
  try {
    return await session.versions();
  } catch (error) {
    if (!(error instanceof Problem) || error.exitCode === EXIT.usage) throw error;
    return {};
  }
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
