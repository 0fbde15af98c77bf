/** Reusable shared memory: a new page from the operating system costs more than copying data into it. */
export interface KeptMemory {
  /** Returns memory of exactly this many bytes, with arbitrary contents. */
  take(bytes: number): SharedArrayBuffer;
  /** Takes back all memory that was taken, and keeps some of it for the next time: what was taken last first. */
  takeBack(): void;
}

/** Creates reusable memory. @param most the most bytes that are kept. */
export function keptMemory(most: number): KeptMemory {
  let kept: SharedArrayBuffer[] = [];
  let taken: SharedArrayBuffer[] = [];
  return {
    take(bytes) {
      const at = kept.findIndex(({ byteLength }) => byteLength === bytes);
      const memory = at < 0 ? new SharedArrayBuffer(bytes) : kept.splice(at, 1)[0];
      taken.push(memory);
      return memory;
    },
    takeBack() {
      let left = most;
      kept = [...taken, ...kept].filter(({ byteLength }) => {
        if (byteLength > left) return false;
        left -= byteLength;
        return true;
      });
      taken = [];
    },
  };
}
