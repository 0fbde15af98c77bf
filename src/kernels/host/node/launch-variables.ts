/** The variable that tells a program of ours what time it is for the kernel that it loads, in milliseconds since 1970. */
export const CLOCK = 'GEMM_PARANOIA_CLOCK';
