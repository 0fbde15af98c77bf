import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Flags that give pages a software WebGPU on any machine. */
export const SOFTWARE_GPU: readonly string[] = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** The Chromium of `CHROMIUM_PATH`, or the system's; undefined if there is none. */
export const chromiumPath = (): string | undefined =>
  [process.env.CHROMIUM_PATH, ...PLACES].find((place) => place !== undefined && existsSync(place));

/** A timeout in milliseconds that is reached only if an event never comes. */
export const NEVER = 1_800_000;

/** Starts the Chromium of {@link chromiumPath}. */
export function startChromium(flags: readonly string[] = []): Promise<Browser> {
  // Its sandbox refuses to run as root, as in most containers.
  const args = [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: chromiumPath() as string, args, timeout: NEVER });
}
