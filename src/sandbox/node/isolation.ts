import type { SandboxBackend } from './backends.ts';
import { bytesText, type IsolatedResource, type ResourceLimits } from './sandbox.ts';

/** Results of a probe: true for each forbidden action that a process in a sandbox lane failed to do. */
export interface SandboxFindings {
  readonly files: boolean;
  readonly network: boolean;
  readonly processes: boolean;
}

/** The words for each lane in results. */
const WAYS: Readonly<Record<SandboxBackend['name'], string>> = {
  bwrap: 'Linux namespaces (bubblewrap), Landlock and seccomp',
  unshare: 'Linux namespaces (unshare), Landlock and seccomp',
  launcher: 'Landlock and seccomp, without namespaces',
};

const WHAT: Readonly<Record<keyof SandboxFindings, string>> = {
  files: 'it could read or write other files',
  network: 'it could reach the network',
  processes: 'it could signal other processes or leave some behind',
};

/** Returns clauses for the forbidden actions that succeeded; empty if all of them failed. */
export const describeFailures = (found: Partial<SandboxFindings>): readonly string[] =>
  (Object.keys(WHAT) as (keyof SandboxFindings)[])
    .filter((key) => found[key] !== true)
    .map((key) => WHAT[key]);

/** The beginning of what is said of a resource that is not isolated. */
export const NOT_HELD = 'not isolated';
const ENVIRONMENT = 'only variables allowed by name';

/** The isolation where a process has only a clean environment and a private folder. */
export const holdsLittle: Readonly<Record<IsolatedResource, string>> = {
  ...{ files: NOT_HELD, network: NOT_HELD, memory: NOT_HELD, disk: NOT_HELD },
  processes: 'not isolated; those in its group end with it',
  environment: ENVIRONMENT,
};

/** Describes the isolation of a lane, by the findings of a probe. */
export function describeIsolation(
  { name, gives }: SandboxBackend,
  found: SandboxFindings,
  limits: ResourceLimits,
): Record<IsolatedResource, string> {
  const memory = bytesText(limits.memoryBytes);
  const disk = bytesText(limits.fileBytes);
  const by = (isHeld: boolean, what: string) => (isHeld ? `${what} (by ${WAYS[name]})` : NOT_HELD);
  const alone = gives.alone ? 'sees only its own' : 'cannot leave its group';
  return {
    files: by(found.files, 'reads only what it needs, writes only its private folder'),
    network: by(found.network, 'no access'),
    processes: by(found.processes, `${alone}, at most ${limits.processes}, all ended with the kernel`),
    memory: `at most ${memory}, watched`,
    disk: `at most ${disk}, ${gives.readOnly ? 'in memory' : 'watched'}`,
    environment: ENVIRONMENT,
  };
}
