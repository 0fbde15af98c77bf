import { ChildProcess } from 'node:child_process';
import { isAsked, numberOf, refusal, step } from './trigger.mjs';

/** Makes the start of a process fail, as the operating system would. */
function hookSpawn() {
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function hooked(options) {
    const code = step('spawn', `${options.file} ${options.args?.[1] ?? ''}`);
    if (code !== undefined) this._handle.spawn = () => numberOf(code);
    const refused = spawn.call(this, options);
    if (typeof this.send === 'function') hookSend(this, 'to a child');
    return refused;
  };
}

/** Makes a message fail: the other end is gone. */
function hookSend(channel, where) {
  const { send } = channel;
  channel.send = function hooked(message, ...rest) {
    const code = step(
      'ipc',
      `${where}: ${typeof message === 'string' ? message : Object.keys(message).join()}`,
    );
    if (code === undefined) return send.call(this, message, ...rest);
    if (code === 'gone') {
      if (this.connected) this.disconnect();
      return send.call(this, message, ...rest);
    }
    const error = refusal(code, 'write');
    const done = rest.findLast((one) => typeof one === 'function');
    process.nextTick(() => (done === undefined ? this.emit('error', error) : done(error)));
    return false;
  };
}

/** Hooks starts of processes, and messages between them. */
export function hookProcesses() {
  hookSpawn();
  if (isAsked('ipc') && process.send !== undefined) hookSend(process, 'to the parent');
}
