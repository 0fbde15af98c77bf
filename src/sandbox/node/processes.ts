import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** The system's data on a process, as far as needed here. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly threads: number;
  readonly pages: number;
}

/** Fields of /proc/…/stat after the name, counted from the state; the name may contain anything. Source: proc_pid_stat(5). */
const [PARENT, GROUP, THREADS, PAGES] = [1, 2, 17, 21];

function seen(pid: number): ProcessInfo | undefined {
  try {
    const first = fieldsOf(`/proc/${pid}/stat`);
    const [parent, group, threads] = [PARENT, GROUP, THREADS].map((at) => Number(first[at]));
    if (first[0] !== 'Z') return { pid, parent, group, threads, pages: Number(first[PAGES]) };
    // If the first thread has ended, the others still report the process's memory.
    const others = threads > 1 ? readdirSync(`/proc/${pid}/task`) : [];
    const pages = others.map((thread) => Number(fieldsOf(`/proc/${pid}/task/${thread}/stat`)[PAGES]));
    return others.length > 1 ? { pid, parent, group, threads, pages: Math.max(...pages) } : undefined;
  } catch {
    // The process has ended.
    return undefined;
  }
}

function fieldsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const numbers = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

export const allProcesses = (): readonly ProcessInfo[] => numbers().flatMap((pid) => seen(pid) ?? []);

/** Returns a process with all its descendants: its group, and every process that descends from one of the group. */
export function listFamily(first: number, all: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const own = new Set(all.filter(({ pid, group }) => pid === first || group === first).map(({ pid }) => pid));
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.filter(({ pid }) => own.has(pid));
}

/** Counts the threads of this process's user; 0 for root. */
export function threadsOfUser(): number {
  const user = process.getuid?.() ?? 0;
  if (user === 0) return 0;
  const isOwn = (pid: number) => statOf(`/proc/${pid}`)?.uid === user;
  return numbers()
    .filter(isOwn)
    .reduce((sum, pid) => sum + (seen(pid)?.threads ?? 0), 0);
}

/** Returns the proportional set size (PSS) of a process in bytes; undefined if it has ended or may not be read. */
export function proportionalBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
  } catch {
    return undefined;
  }
}

/** Bytes on disk of unlinked files that processes still hold open. */
export function unlinkedBytes(pids: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const found = statOf(`/proc/${pid}/fd/${fd}`);
      if (found?.isFile() && found.nlink === 0) sizes.set(`${found.dev}:${found.ino}`, BLOCK * found.blocks);
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

const BLOCK = 512;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Bytes that a file takes in addition to its contents: many empty files fill a disk as well. */
const EACH = 4096;

/**
 * Counts the bytes in folders until there are more than enough. Links are not followed, and a file with several hard links is counted once.
 * @throws Error of the file system where a folder may not be read, or lies deeper than paths reach
 */
export function countBytesIn(folders: readonly string[], enough: number): number {
  const counted = new Set<string>();
  let sum = 0;
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && sum <= enough; folder = left.pop()) {
    for (const name of unlessGone(() => readdirSync(folder as string)) ?? []) {
      const path = join(folder, name);
      const found = unlessGone(() => lstatSync(path));
      if (found === undefined || counted.has(`${found.dev}:${found.ino}`)) continue;
      counted.add(`${found.dev}:${found.ino}`);
      sum += EACH + BLOCK * found.blocks;
      if (found.isDirectory()) left.push(path);
    }
  }
  return sum;
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
