import type { Readable } from 'node:stream';

/** Lines and bytes from a stream, read as they are asked for: what nobody asks for waits in its pipe. */
export interface ByteSource {
  /** The next line without its end; at most `longest` bytes of it, or what there was when the stream ended. */
  line(longest: number): Promise<Buffer>;
  /** The next bytes; fewer where the stream ended. */
  bytes(count: number): Promise<Buffer>;
  /** Bytes that have arrived and that nobody asked for. */
  unread(): Buffer;
  /** Whether the stream has ended. */
  ended(): boolean;
}

const LINE_END = 0x0a;

export function byteSource(stream: Readable): ByteSource {
  let held: Buffer = Buffer.alloc(0);
  const ended = () => stream.readableEnded || stream.destroyed;

  /** Waits for more; empty at the end. */
  const arrival = async (): Promise<Buffer> => {
    for (;;) {
      const chunk: Buffer | null = stream.read();
      if (chunk !== null) return chunk;
      if (ended()) return Buffer.alloc(0);
      await new Promise<void>((resolve) => {
        const events = ['readable', 'end', 'close', 'error'] as const;
        const wake = () => {
          for (const event of events) stream.off(event, wake);
          resolve();
        };
        for (const event of events) stream.on(event, wake);
      });
    }
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
        const more = await arrival();
        if (more.length === 0) return taken(held.length);
        held = Buffer.concat([held, more]);
      }
    },
    async bytes(count) {
      const all = Buffer.alloc(count);
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
      const waiting: Buffer | null = stream.read();
      if (waiting !== null) held = Buffer.concat([held, waiting]);
      return held;
    },
    ended,
  };
}
