import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plan, refusal, step, within } from './trigger.mjs';

/** Functions of node:fs to hook; those in {@link WRITES} write half of their content before they fail. */
const CALLS = [
  ...['access', 'appendFile', 'chmod', 'close', 'copyFile', 'fstat', 'fsync', 'ftruncate', 'lstat', 'mkdir'],
  ...['mkdtemp', 'open', 'opendir', 'read', 'readFile', 'readdir', 'readlink', 'realpath', 'rename', 'rm'],
  ...['rmdir', 'stat', 'symlink', 'truncate', 'unlink', 'utimes', 'write', 'writeFile', 'exists', 'watch'],
];
const WRITES = ['writeFile', 'appendFile'];

/** @type {Map<number, string>} */
const opened = new Map();
const original = { ...fs, promises: { ...fs.promises } };

/** Classifies a path: of the run, of this package, or of neither, as files of others. */
function kindOf(target) {
  const path =
    typeof target === 'number'
      ? opened.get(target)
      : target instanceof URL
        ? fileURLToPath(target)
        : typeof target === 'string' || Buffer.isBuffer(target)
          ? resolve(String(target))
          : undefined;
  // If the main script cannot be read, none of our code runs.
  if (path === undefined || path === process.argv[1]) return undefined;
  return path.startsWith(plan.root) ? 'files' : 'own';
}

/** Counts a call. @returns the error that it must fail with, if any */
function suffering(name, args) {
  const [target, content] = args;
  const kind = kindOf(target);
  if (kind === undefined) return undefined;
  const half = () => {
    if (WRITES.includes(name)) original[`${name}Sync`](target, halfOf(content), args[2]);
  };
  const code = step(kind, `${name} ${typeof target === 'number' ? opened.get(target) : target}`, half);
  if (code === undefined) return undefined;
  within(() => {
    try {
      half();
      // A file is closed even if closing it reports an error.
      if (name === 'close') original.closeSync(target);
    } catch {
      // Writing half of it has failed too.
    }
  });
  return refusal(code, name, target);
}

const halfOf = (content) =>
  typeof content === 'string'
    ? content.slice(0, content.length / 2)
    : content.subarray(0, content.length / 2);

function hookSync(name) {
  const call = original[`${name}Sync`];
  if (call === undefined) return;
  fs[`${name}Sync`] = Object.assign(function hooked(...args) {
    const error = suffering(name, args);
    if (error !== undefined && name === 'exists') return false;
    if (error !== undefined) throw error;
    const found = within(() => call.apply(this, args));
    if (name === 'open') opened.set(found, resolve(String(args[0])));
    return found;
  }, call);
}

function hookCallback(name) {
  const call = original[name];
  if (call === undefined || name === 'watch' || name === 'exists') return;
  fs[name] = Object.assign(function hooked(...args) {
    const done = args.at(-1);
    const error = typeof done === 'function' ? suffering(name, args) : undefined;
    if (error !== undefined) return void process.nextTick(done, error);
    if (name === 'open' && typeof done === 'function')
      args[args.length - 1] = (failed, fd) => {
        if (!failed) opened.set(fd, resolve(String(args[0])));
        done(failed, fd);
      };
    return call.apply(this, args);
  }, call);
}

function hookPromise(name) {
  const call = original.promises[name];
  if (call === undefined || name === 'watch') return;
  fs.promises[name] = async function hooked(...args) {
    const error = suffering(name, args);
    if (error !== undefined) throw error;
    return call.apply(this, args);
  };
}

/** Hooks the functions of node:fs: synchronous ones, those with callbacks (also of streams), and those with promises. */
export function hookFiles() {
  for (const name of CALLS) {
    hookSync(name);
    hookCallback(name);
    hookPromise(name);
  }
  syncBuiltinESMExports();
}
