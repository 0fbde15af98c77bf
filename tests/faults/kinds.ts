/** A kind of fault in a command. */
export interface Kind {
  readonly name: string;
  readonly what: string;
  /** The steps that count, by the hooks' names. @defaultValue the kind's name */
  readonly steps?: readonly string[];
  /** The roles of processes in which steps are counted. */
  readonly roles: readonly Role[];
  /** Effects: codes of the operating system, signals, or words that the hook knows. */
  readonly hows: readonly string[];
  /** Steps with fewer effects: a pattern of these steps, and the effects. */
  readonly some?: { readonly of: RegExp; readonly hows: readonly string[] };
  /** The most faults of a scenario and role; a seed draws them from more. */
  readonly most: number;
}

export type Role = 'main' | 'host' | 'job';

/** Steps of files that change nothing, by the hooks' names. */
const READS = /\t(access|exists|f?stat|lstat|open|opendir|read|readFile|readdir|readlink|realpath|watch) /;

export const kinds: readonly Kind[] = [
  {
    name: 'files',
    what: 'a call of node:fs on a file of the run; what writes has written half',
    roles: ['main', 'host', 'job'],
    hows: ['ENOSPC', 'EACCES', 'EIO', 'EMFILE', 'EROFS', 'EINTR', 'EDQUOT', 'ENOMEM'],
    some: { of: READS, hows: ['EACCES', 'EIO', 'EMFILE', 'ENOMEM', 'ESTALE'] },
    most: 160,
  },
  {
    name: 'own',
    what: 'a call of node:fs on a file of this package or of others that it loads',
    roles: ['main', 'host', 'job'],
    hows: ['EIO', 'EMFILE', 'EACCES', 'ENOMEM'],
    most: 24,
  },
  {
    name: 'spawn',
    what: 'the start of a process',
    roles: ['main', 'job'],
    hows: ['EAGAIN', 'EMFILE', 'ENOMEM', 'EACCES', 'ENOENT'],
    most: 30,
  },
  {
    name: 'ipc',
    what: 'a message between our processes',
    roles: ['main', 'job'],
    hows: ['EPIPE', 'EAGAIN', 'gone'],
    most: 40,
  },
  {
    name: 'pipe',
    what: 'a read or write of a pipe between processes',
    roles: ['main', 'host', 'job'],
    hows: ['EPIPE', 'EIO', 'ECONNRESET'],
    most: 40,
  },
  {
    name: 'output',
    what: 'what is printed',
    roles: ['main', 'host', 'job'],
    hows: ['EPIPE', 'EIO', 'ENOSPC'],
    most: 40,
  },
  {
    name: 'memory',
    what: 'an allocation of 1 KiB and more',
    roles: ['main', 'host', 'job'],
    hows: ['RangeError'],
    most: 60,
  },
  {
    name: 'gpu',
    what: 'a call of the device, or the device in it',
    roles: ['main', 'job'],
    hows: ['fails', 'lost'],
    some: { of: /which cannot fail$/, hows: ['lost'] },
    most: 80,
  },
  {
    name: 'thread',
    what: 'a thread, or a message to it',
    roles: ['main'],
    hows: ['fails', 'dies'],
    most: 20,
  },
  {
    name: 'timer',
    what: 'a timer that is 1.5 s late',
    roles: ['main', 'host', 'job'],
    hows: ['late'],
    most: 8,
  },
  {
    name: 'kill',
    what: 'a signal at a step of files, processes, messages, pipes or output; half of what is written is',
    steps: ['files', 'spawn', 'ipc', 'pipe', 'output'],
    roles: ['main', 'host', 'job'],
    hows: ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'],
    most: 120,
  },
];

/** The possible effects of a step. */
export const howsOf = ({ hows, some }: Kind, step: string): readonly string[] =>
  some?.of.test(step) ? some.hows : hows;
