import { appendFileSync, closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { isMainThread } from 'node:worker_threads';

/**
 * What this process is to suffer.
 * @typedef {object} Plan
 * @property {string} log Takes a line a step while steps are counted, and one when a fault was injected.
 * @property {string} root The folder of this run's own files.
 * @property {readonly string[]} kinds Of steps, that count.
 * @property {string} role The processes that count: main, host, job or thread.
 * @property {number} at The step that suffers, from 1 on; 0 where steps are only counted.
 * @property {string} how An error's code, a signal, or a word of the kind.
 * @property {number} bytes From which on memory counts.
 */

/** @type {Plan} */
export const plan = JSON.parse(process.env.PARANOIA_FAULT ?? '{"kinds":[]}');

const ROLES = { 'main.js': 'main', 'host.js': 'host', 'job.js': 'job' };
const role = isMainThread ? (ROLES[basename(process.argv[1] ?? '')] ?? 'other') : 'thread';

/** @param {string} kind */
export const isAsked = (kind) => plan.kinds.includes(kind) && role === plan.role;

const SIGNAL = /^SIG/;
let steps = 0;
/** Above 0 inside a step: what it is made of does not count. */
let depth = 0;

/**
 * Counts a step of a kind.
 * @param {string} kind
 * @param {string} what The call and what it is of, for a reader.
 * @param {() => void} [half] Does half of the step, for a process that is killed in the middle of it.
 * @returns {string | undefined} how it is to fail, if it is the one.
 */
export function step(kind, what, half) {
  if (depth > 0 || !isAsked(kind)) return undefined;
  steps++;
  if (plan.at === 0) note(`${kind}\t${what}`);
  if (steps !== plan.at || !isFirst()) return undefined;
  note(`${kind}\t${what}`);
  if (!SIGNAL.test(plan.how)) return plan.how;
  if (plan.how === 'SIGKILL') within(() => half?.());
  process.kill(process.pid, plan.how);
  // The signal that nobody can hear comes at once.
  return undefined;
}

/**
 * Does what is one step.
 * @template T
 * @param {() => T} work
 */
export function within(work) {
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

/** @param {string} line */
const note = (line) => within(() => appendFileSync(plan.log, `${line.replace(/\n/g, ' ')}\n`));

/** Whether no process has suffered before: of several with this role one does. */
function isFirst() {
  try {
    within(() => closeSync(openSync(`${plan.log}.fired`, 'wx')));
    return true;
  } catch {
    return false;
  }
}

const NUMBERS = new Map([...getSystemErrorMap()].map(([number, [code, text]]) => [code, { number, text }]));

/**
 * The number that the operating system gives an error.
 * @param {string} code
 */
export const numberOf = (code) => NUMBERS.get(code)?.number ?? -constants.errno[code];

/**
 * An error as Node makes it of what the operating system refuses.
 * @param {string} code
 * @param {string} syscall
 * @param {unknown} [path]
 */
export function refusal(code, syscall, path) {
  const errno = numberOf(code);
  const where = typeof path === 'string' ? ` '${path}'` : '';
  // Of some, Node knows the number alone.
  const unknown = `Unknown system error ${errno}`;
  const { text = unknown } = NUMBERS.get(code) ?? {};
  const named = NUMBERS.has(code) ? code : unknown;
  return Object.assign(new Error(`${named}: ${text}, ${syscall}${where}`), {
    errno,
    code: named,
    syscall,
    path,
  });
}
