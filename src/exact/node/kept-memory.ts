/** Shared memory that is used again: to have the operating system hand out a page that is new costs more than to copy what goes there. */
export interface KeptMemory {
  /** Memory of exactly so many bytes, with whatever lies there. */
  take(bytes: number): SharedArrayBuffer;
  /** Takes back all that was taken, and keeps some of it for the next time. */
  takeBack(): void;
}

/** @param most bytes that are kept. */
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
      kept = taken.filter(({ byteLength }) => {
        if (byteLength > left) return false;
        left -= byteLength;
        return true;
      });
      taken = [];
    },
  };
}
