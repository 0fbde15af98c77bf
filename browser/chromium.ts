import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** What gives pages a WebGPU that computes in software, whatever the machine has. */
export const SOFTWARE_GPU: readonly string[] = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** Starts the Chromium of `CHROMIUM_PATH`, or that of the system; fails where there is none. */
export async function startChromium(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined || !existsSync(executablePath)) {
    const tried = process.env.CHROMIUM_PATH ?? PLACES.join(', ');
    throw new Error(`There is no Chromium at ${tried}: install it, or set CHROMIUM_PATH to where it is.`);
  }
  // Its sandbox refuses to run as root, as in most containers.
  const args = [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}
