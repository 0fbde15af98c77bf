import { Socket } from 'node:net';
import { refusal, step } from './trigger.mjs';

const STANDARD = 2;

/** Distinguishes output from messages between processes. */
const kindOf = (socket) => (typeof socket.fd === 'number' && socket.fd <= STANDARD ? 'output' : 'pipe');

/** Hooks writes to pipes and reads from them. */
export function hookStreams() {
  const { _writeGeneric, push } = Socket.prototype;
  Socket.prototype._writeGeneric = function hooked(writev, data, encoding, done) {
    const code = step(kindOf(this), `write to ${this.fd ?? 'a process'}`);
    if (code === undefined) return _writeGeneric.call(this, writev, data, encoding, done);
    done(refusal(code, 'write'));
  };
  Socket.prototype.push = function hooked(chunk, encoding) {
    const code = chunk === null ? undefined : step(kindOf(this), `read from ${this.fd ?? 'a process'}`);
    if (code === undefined) return push.call(this, chunk, encoding);
    this.destroy(refusal(code, 'read'));
    return false;
  };
}
