/** Schema version of results. Files with another major version are refused. */
export const RESULTS_SCHEMA = 'gemm-paranoia/results/3';
