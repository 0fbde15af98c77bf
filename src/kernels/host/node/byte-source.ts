import type { Readable } from 'node:stream';

/** Reads lines and bytes from a stream on demand; beyond a small buffer, unread data waits in its pipe. */
export interface ByteSource {
  /** Reads the next line without its end; at most `longest` bytes of it, or the rest when the stream ended. */
  line(longest: number): Promise<Buffer>;
  /** Reads the next bytes; fewer where the stream ended. */
  bytes(count: number): Promise<Buffer>;
  /** Returns bytes that have arrived and were not read. */
  unread(): Buffer;
  ended(): boolean;
}

const LINE_END = 0x0a;
const NOTHING = Buffer.alloc(0);

/** The most bytes that are read ahead. */
const AHEAD = 2 ** 20;

export function byteSource(stream: Readable): ByteSource {
  /** Data that has arrived, the oldest first: `held`, then `coming`. */
  let held: Buffer = NOTHING;
  let coming: Buffer[] = [];
  let ahead = 0;
  let wake = () => {};
  const ended = () => stream.readableEnded || stream.destroyed;
  stream.on('data', (chunk: Buffer) => {
    coming.push(chunk);
    ahead += chunk.length;
    if (ahead > AHEAD) stream.pause();
    wake();
  });
  for (const event of ['end', 'close', 'error']) stream.on(event, () => wake());

  /** Waits for more data; empty at the end. */
  const arrival = async (): Promise<Buffer> => {
    while (coming.length === 0 && !ended()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const chunk = coming.shift() ?? NOTHING;
    ahead -= chunk.length;
    if (ahead <= AHEAD && stream.isPaused()) stream.resume();
    return chunk;
  };

  const taken = (count: number): Buffer => {
    const part = held.subarray(0, count);
    held = held.subarray(count);
    return part;
  };

  return {
    async line(longest) {
      for (;;) {
        const at = held.indexOf(LINE_END);
        if (at >= 0 && at <= longest) {
          const line = taken(at);
          held = held.subarray(1);
          return line;
        }
        if (held.length > longest) return taken(longest);
        const chunk = await arrival();
        if (chunk.length === 0) return taken(held.length);
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      }
    },
    async bytes(count) {
      if (held.length >= count) return taken(count);
      const all = Buffer.allocUnsafe(count);
      let filled = 0;
      for (;;) {
        const part = taken(count - filled);
        all.set(part, filled);
        filled += part.length;
        if (filled === count) return all;
        held = await arrival();
        if (held.length === 0) return all.subarray(0, filled);
      }
    },
    unread() {
      if (coming.length > 0) held = Buffer.concat([held, ...coming]);
      [coming, ahead] = [[], 0];
      return held;
    },
    ended,
  };
}
