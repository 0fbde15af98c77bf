/** Machine code of functions that tell the time, on one processor. */
interface MachineCode {
  /** Returns a jump to an address. */
  jump(to: bigint): Uint8Array;
  /** By the name of the function replaced: code that asks the system, and adds the seconds stored at an address. */
  readonly functions: Readonly<Record<string, (seconds: bigint) => Uint8Array>>;
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

/** Encodes an address in the order of x86-64's immediate operands. */
function immediate(value: bigint): string {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(value);
  return buffer.toString('hex');
}

/** Numbers of calls and of clocks: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/linux/time.h. */
const x64: MachineCode = {
  // mov rax, to; jmp rax
  jump: (to) => bytes(`48b8 ${immediate(to)} ffe0`),
  functions: {
    // clock_gettime(228); on success, for clocks 0, 5 and 11 (real, real and coarse, atomic), tv_sec is increased.
    __vdso_clock_gettime: (seconds) =>
      bytes(`b8e4000000 0f05 85c0 751e 85ff 740a 83ff05 7405 83ff0b 7510
        48b9 ${immediate(seconds)} 488b09 48010e c3`),
    // gettimeofday(96), where a pointer is given for it.
    __vdso_gettimeofday: (seconds) =>
      bytes(`b860000000 0f05 85c0 7515 4885ff 7410 48b9 ${immediate(seconds)} 488b09 48010f c3`),
    // time(201), in the result and at the given pointer.
    __vdso_time: (seconds) =>
      bytes(`b8c9000000 0f05 48b9 ${immediate(seconds)} 488b09 4801c8 4885ff 7403 488907 c3`),
  },
};

/** Machine code by processor architecture. */
export const machineCode: Readonly<Record<string, MachineCode | undefined>> = { x64 };
