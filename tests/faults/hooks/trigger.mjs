import { appendFileSync, closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { isMainThread } from 'node:worker_threads';

/**
 * The fault to inject into this process.
 * @typedef {object} Plan
 * @property {string} log The file that gets a line for each counted step, and one for an injected fault.
 * @property {string} root The folder of this run's own files.
 * @property {readonly string[]} kinds The kinds of steps that count.
 * @property {string} role The processes that count: main, host, job or thread.
 * @property {number} at The step that fails, from 1 on; 0 to only count steps.
 * @property {string} how An error's code, a signal, or a word of the kind.
 * @property {number} bytes The least allocation that counts.
 */

/** @type {Plan} */
export const plan = JSON.parse(process.env.PARANOIA_FAULT ?? '{"kinds":[]}');

const ROLES = { 'main.js': 'main', 'host.js': 'host', 'job.js': 'job' };
const role = isMainThread ? (ROLES[basename(process.argv[1] ?? '')] ?? 'other') : 'thread';

/** @param {string} kind */
export const isAsked = (kind) => plan.kinds.includes(kind) && role === plan.role;

const SIGNAL = /^SIG/;
let steps = 0;
/** The depth of nested steps: steps within a step do not count. */
let depth = 0;

/**
 * Counts a step of a kind.
 * @param {string} kind
 * @param {string} what The call and its subject, for a reader.
 * @param {() => void} [half] Does half of the step, for a process that is killed in the middle of it.
 * @returns {string | undefined} the effect, if this step must fail
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
  // SIGKILL takes effect at once.
  return undefined;
}

/**
 * Runs work as one step.
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

/** True if no process has failed yet: of several processes with this role only one fails. */
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
 * The operating system's number of an error.
 * @param {string} code
 */
export const numberOf = (code) => NUMBERS.get(code)?.number ?? -constants.errno[code];

/**
 * An error as Node makes it when the operating system refuses a call.
 * @param {string} code
 * @param {string} syscall
 * @param {unknown} [path]
 */
export function refusal(code, syscall, path) {
  const errno = numberOf(code);
  const where = typeof path === 'string' ? ` '${path}'` : '';
  // Some errors have no name in Node.
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
