import { loadPart } from '../base/part.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import { noAdapter } from '../gpu/messages.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Tampering } from '../kernels/faults/fault.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Case } from '../problem/case.ts';

export interface KernelChoice extends Pick<Case, 'kernel' | 'fault'> {
  /** @defaultValue 'f32' */
  readonly precision?: string | undefined;
}

export const choiceOf = ({ kernel, problem: { precision }, fault }: Case): KernelChoice => ({
  ...{ kernel, precision, fault },
});

/** Loads what measures how a device computes. */
export const loadComputation = () =>
  loadPart("measures a device's arithmetic", () => import('../gpu/computation.ts'));

/**
 * Returns the kernel of cases on a machine.
 * @throws ParanoiaError `unknown-name`, `precision-unserved`, `bad-kernel`, `no-adapter`
 */
export type KernelResolver = (choice: KernelChoice, machine: Machine) => Promise<Kernel>;

/**
 * Returns the built-in kernel of a choice, with its planted fault if it names one.
 * @param items items that it may name. @defaultValue the built-in ones
 * @throws ParanoiaError `unknown-name`, `precision-unserved`, `no-adapter`
 */
export async function kernelOf(
  { kernel, precision = 'f32', fault }: KernelChoice,
  machine: Machine,
  { algorithms, precisions }: CaseItems = builtinCaseItems,
): Promise<Kernel> {
  if (!isDevice(machine)) throw noAdapter({ found: [], notes: [`${kernel} needs one`] });
  const { builtinKernel } = await loadPart('multiplies', () => import('../kernels/builtin.ts'));
  const tampering = fault === undefined ? undefined : await tamperingOf(fault);
  const { computationIn } = await loadComputation();
  const computation = await computationIn(machine, precisions.find(precision));
  return builtinKernel(kernel, machine, tampering, computation, algorithms);
}

/** Returns the tampering of a planted fault. @throws ParanoiaError `unknown-name` */
async function tamperingOf(fault: string): Promise<Tampering> {
  const { findFault } = await loadPart('plants faults', () => import('../kernels/faults/faults.ts'));
  return findFault(fault).tampering;
}
