// Results of a machine's matrix units, for one instruction or a chain of them.
// a: tiles × 64 rows × steps × 32 bytes; b: tiles × 8 columns × steps × 32 bytes (column by column);
// c and d: tiles × 64 × 8 words of 32 bits (f32, or i32). One block a tile, 128 threads, four warps of 16 rows.
// Every K-major row of an instruction is 32 bytes: 16 of 16 bits, 8 tf32, 32 of 8 bits.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u32 word(const u32* rows, int row, int steps, int step, int w) {
  return rows[(row * steps + step) * 8 + w];
}

#define LOAD_C(d)                                                                                      \
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;              \
  const int low = 16 * warp + g, high = low + 8;                                                       \
  a += (size_t)blockIdx.x * 64 * steps * 8;                                                            \
  b += (size_t)blockIdx.x * 8 * steps * 8;                                                             \
  c += (size_t)blockIdx.x * 512;                                                                       \
  out += (size_t)blockIdx.x * 512;                                                                     \
  u32 d0 = c[low * 8 + 2 * t], d1 = c[low * 8 + 2 * t + 1];                                            \
  u32 d2 = c[high * 8 + 2 * t], d3 = c[high * 8 + 2 * t + 1];

#define STORE_D                                                                                        \
  out[low * 8 + 2 * t] = d0; out[low * 8 + 2 * t + 1] = d1;                                            \
  out[high * 8 + 2 * t] = d2; out[high * 8 + 2 * t + 1] = d3;

// A whole row of 32 bytes: A in four registers, B in two. K is the instruction's, R "f" or "r" by the accumulator.
#define MMA(NAME, INSTRUCTION, R, CAST, UNCAST, TYPE)                                                  \
  extern "C" __global__ void NAME(const u32* a, const u32* b, const u32* c, u32* out, int steps) {     \
    LOAD_C(d)                                                                                          \
    TYPE x0 = CAST(d0), x1 = CAST(d1), x2 = CAST(d2), x3 = CAST(d3);                                   \
    for (int s = 0; s < steps; s++) {                                                                  \
      u32 a0 = word(a, low, steps, s, t), a1 = word(a, high, steps, s, t);                             \
      u32 a2 = word(a, low, steps, s, t + 4), a3 = word(a, high, steps, s, t + 4);                     \
      u32 b0 = word(b, g, steps, s, t), b1 = word(b, g, steps, s, t + 4);                              \
      asm volatile(INSTRUCTION " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                \
                   : "+" R(x0), "+" R(x1), "+" R(x2), "+" R(x3)                                        \
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));                            \
    }                                                                                                  \
    d0 = UNCAST(x0); d1 = UNCAST(x1); d2 = UNCAST(x2); d3 = UNCAST(x3);                                \
    STORE_D                                                                                            \
  }

// Half a row of 16 bytes an instruction: A in two registers, B in one.
#define MMA_SHORT(NAME, INSTRUCTION, R, CAST, UNCAST, TYPE)                                            \
  extern "C" __global__ void NAME(const u32* a, const u32* b, const u32* c, u32* out, int steps) {     \
    LOAD_C(d)                                                                                          \
    TYPE x0 = CAST(d0), x1 = CAST(d1), x2 = CAST(d2), x3 = CAST(d3);                                   \
    for (int s = 0; s < steps; s++)                                                                    \
      for (int half = 0; half < 8; half += 4) {                                                        \
        u32 a0 = word(a, low, steps, s, t + half), a1 = word(a, high, steps, s, t + half);             \
        u32 b0 = word(b, g, steps, s, t + half);                                                       \
        asm volatile(INSTRUCTION " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"                       \
                     : "+" R(x0), "+" R(x1), "+" R(x2), "+" R(x3)                                      \
                     : "r"(a0), "r"(a1), "r"(b0));                                                     \
      }                                                                                                \
    d0 = UNCAST(x0); d1 = UNCAST(x1); d2 = UNCAST(x2); d3 = UNCAST(x3);                                \
    STORE_D                                                                                            \
  }

// A sum of f16 lies in two registers of two: it is handed over and back as words of f32.
__device__ __forceinline__ u32 narrow(u32 bits) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(__uint_as_float(bits)));
  return h;
}
__device__ __forceinline__ u32 widen(u32 half) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)half));
  return __float_as_uint(f);
}

extern "C" __global__ void mma_f16_f16(const u32* a, const u32* b, const u32* c, u32* out, int steps) {
  LOAD_C(d)
  u32 x0 = narrow(d0) | narrow(d1) << 16, x1 = narrow(d2) | narrow(d3) << 16;
  for (int s = 0; s < steps; s++) {
    u32 a0 = word(a, low, steps, s, t), a1 = word(a, high, steps, s, t);
    u32 a2 = word(a, low, steps, s, t + 4), a3 = word(a, high, steps, s, t + 4);
    u32 b0 = word(b, g, steps, s, t), b1 = word(b, g, steps, s, t + 4);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(x0), "+r"(x1) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
  d0 = widen(x0 & 0xffff); d1 = widen(x0 >> 16); d2 = widen(x1 & 0xffff); d3 = widen(x1 >> 16);
  STORE_D
}

#define ID(x) (x)
#define F32(NAME, SHAPE, TYPES) MMA(NAME, "mma.sync.aligned." SHAPE ".row.col." TYPES, "f", __uint_as_float, __float_as_uint, float)
#define F32_SHORT(NAME, SHAPE, TYPES) MMA_SHORT(NAME, "mma.sync.aligned." SHAPE ".row.col." TYPES, "f", __uint_as_float, __float_as_uint, float)
#define S32(NAME, SHAPE, TYPES) MMA(NAME, "mma.sync.aligned." SHAPE ".row.col" TYPES, "r", ID, ID, u32)

F32(mma_f16, "m16n8k16", "f32.f16.f16.f32")
F32_SHORT(short_f16, "m16n8k8", "f32.f16.f16.f32")
F32(mma_bf16, "m16n8k16", "f32.bf16.bf16.f32")
F32_SHORT(short_bf16, "m16n8k8", "f32.bf16.bf16.f32")
F32(mma_tf32, "m16n8k8", "f32.tf32.tf32.f32")
F32_SHORT(short_tf32, "m16n8k4", "f32.tf32.tf32.f32")
F32(mma_e4m3, "m16n8k32", "f32.e4m3.e4m3.f32")
F32(mma_e5m2, "m16n8k32", "f32.e5m2.e5m2.f32")
S32(mma_int8, "m16n8k32", ".s32.s8.s8.s32")
S32(mma_int8_sat, "m16n8k32", ".satfinite.s32.s8.s8.s32")
S32(mma_uint8, "m16n8k32", ".s32.u8.u8.s32")

// wgmma: operands in shared memory without swizzling, in core matrices of 8 rows × 16 bytes.
__device__ __forceinline__ u64 descriptor(const void* p, u32 leading, u32 stride) {
  u64 address = (u64)__cvta_generic_to_shared(p);
  return ((address & 0x3ffff) >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32;
}

// rows × 32 bytes of one step, row by row, into core matrices: (row / 8, half, row % 8).
__device__ __forceinline__ void lay(u32* shared, const u32* from, int rows, int steps, int step) {
  for (int i = threadIdx.x; i < rows * 8; i += 128) {
    int row = i / 8, w = i % 8;
    shared[((row / 8) * 2 + w / 4) * 32 + (row % 8) * 4 + w % 4] = word(from, row, steps, step, w);
  }
}

#define WGMMA_STEPS(ISSUE)                                                                             \
  __shared__ __align__(128) u32 as[4][64 * 8];                                                         \
  __shared__ __align__(128) u32 bs[4][8 * 8];                                                          \
  for (int s = 0; s < steps; s++) { lay(as[s], a, 64, steps, s); lay(bs[s], b, 8, steps, s); }         \
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                         \
  __syncthreads();                                                                                     \
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                              \
  for (int s = 0; s < steps; s++) {                                                                    \
    u64 da = descriptor(as[s], leading, stride), db = descriptor(bs[s], leading, stride);              \
    ISSUE                                                                                              \
  }                                                                                                    \
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                       \
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

#define WGMMA(NAME, INSTRUCTION, TAIL, R, CAST, UNCAST, TYPE)                                          \
  extern "C" __global__ void __launch_bounds__(128, 1)                                                 \
  NAME(const u32* a, const u32* b, const u32* c, u32* out, int steps, int leading, int stride) {       \
    LOAD_C(d)                                                                                          \
    TYPE x0 = CAST(d0), x1 = CAST(d1), x2 = CAST(d2), x3 = CAST(d3);                                   \
    WGMMA_STEPS(asm volatile(                                                                          \
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; " INSTRUCTION " {%0,%1,%2,%3}, %4, %5, p" TAIL "; }"       \
      : "+" R(x0), "+" R(x1), "+" R(x2), "+" R(x3) : "l"(da), "l"(db) : "memory");)                    \
    asm volatile("" : "+" R(x0), "+" R(x1), "+" R(x2), "+" R(x3) :: "memory");                         \
    d0 = UNCAST(x0); d1 = UNCAST(x1); d2 = UNCAST(x2); d3 = UNCAST(x3);                                \
    STORE_D                                                                                            \
  }

#define WG32(NAME, REST, TAIL) WGMMA(NAME, "wgmma.mma_async.sync.aligned." REST, TAIL, "f", __uint_as_float, __float_as_uint, float)
#define WGS32(NAME, REST) WGMMA(NAME, "wgmma.mma_async.sync.aligned." REST, "", "r", ID, ID, u32)

WG32(wgmma_f16, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
WG32(wgmma_bf16, "m64n8k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WG32(wgmma_tf32, "m64n8k8.f32.tf32.tf32", ", 1, 1")
WG32(wgmma_e4m3, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
WG32(wgmma_e5m2, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
WGS32(wgmma_int8, "m64n8k32.s32.s8.s8")
WGS32(wgmma_int8_sat, "m64n8k32.s32.s8.s8.satfinite")
WGS32(wgmma_uint8, "m64n8k32.s32.u8.u8")

#define WG16(NAME, REST, TAIL)                                                                         \
  extern "C" __global__ void __launch_bounds__(128, 1)                                                 \
  NAME(const u32* a, const u32* b, const u32* c, u32* out, int steps, int leading, int stride) {       \
    LOAD_C(d)                                                                                          \
    u32 x0 = narrow(d0) | narrow(d1) << 16, x1 = narrow(d2) | narrow(d3) << 16;                        \
    WGMMA_STEPS(asm volatile(                                                                          \
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned." REST " {%0,%1}, %2, %3, p" TAIL "; }" \
      : "+r"(x0), "+r"(x1) : "l"(da), "l"(db) : "memory");)                                            \
    asm volatile("" : "+r"(x0), "+r"(x1) :: "memory");                                                 \
    d0 = widen(x0 & 0xffff); d1 = widen(x0 >> 16); d2 = widen(x1 & 0xffff); d3 = widen(x1 >> 16);      \
    STORE_D                                                                                            \
  }
WG16(wgmma_f16_f16, "m64n8k16.f16.f16.f16", ", 1, 1, 0, 0")
WG16(wgmma_e4m3_f16, "m64n8k32.f16.e4m3.e4m3", ", 1, 1")
WG16(wgmma_e5m2_f16, "m64n8k32.f16.e5m2.e5m2", ", 1, 1")
