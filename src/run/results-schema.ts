/** What results say they are; files with another major version are refused. */
export const RESULTS_SCHEMA = 'gemm-paranoia/results/2';
