#!/usr/bin/env node

// Nothing is imported here but at run time: what stops a module from loading is told like all else.
const [RESOURCES, INTERNAL] = [71, 70];

try {
  const { main } = await import('./command-line.ts');
  await main();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isShort = code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM';
  process.stderr.write(
    isShort
      ? `This machine gives gemm-paranoia too little to begin with (${code}): raise what a process may have (ulimit -n, memory), and run it again.\n`
      : `gemm-paranoia cannot be loaded: ${JSON.stringify(message)}; install it anew.\n`,
  );
  process.exitCode = isShort ? RESOURCES : INTERNAL;
}
