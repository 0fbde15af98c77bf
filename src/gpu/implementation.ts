import { navigatorHere } from '../base/navigator.ts';

/** A runtime that has WebGPU, with the library that implements it. */
interface Implementation {
  readonly name: string;
  /** A pattern of the runtime's user agent; its group is the version. */
  readonly says: RegExp;
  readonly by: string;
}

/** Runtimes whose user agent also names another runtime come first. */
const implementations: readonly Implementation[] = [
  { name: 'deno', says: /^Deno\/([\d.]+)/, by: 'wgpu' },
  { name: 'firefox', says: /\bFirefox\/(\d+)/, by: 'wgpu' },
  { name: 'edge', says: /\bEdg\/(\d+)/, by: 'Dawn' },
  { name: 'chromium', says: /\b(?:Headless)?Chrome\/(\d+)/, by: 'Dawn' },
  { name: 'safari', says: /\bVersion\/(\d+).*\bSafari\//, by: 'WebKit' },
];

/** Returns the implementation of WebGPU of a runtime, by its user agent: "firefox 153 (wgpu)"; undefined if unknown. */
export function implementationOf(userAgent: string | undefined): string | undefined {
  for (const { name, says, by } of implementations) {
    const version = says.exec(userAgent ?? '')?.[1];
    if (version !== undefined) return `${name} ${version} (${by})`;
  }
  return undefined;
}

/** Returns {@link implementationOf} the current runtime. */
export const implementationHere = (): string | undefined => implementationOf(navigatorHere().userAgent);
