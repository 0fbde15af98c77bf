/** Returns the command that invoked this program, for commands it prints: the scripts of its own clone, or an installed package. */
export function invocation(env: NodeJS.ProcessEnv = process.env): string {
  const inClone = env.npm_package_name === 'gemm-paranoia' && env.npm_lifecycle_event !== 'npx';
  return inClone ? 'npm run -s paranoia --' : 'npx gemm-paranoia';
}

/** True if this runs in a continuous integration service. */
export const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');
