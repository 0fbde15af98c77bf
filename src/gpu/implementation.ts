import { navigatorHere } from '../base/navigator.ts';

/** A runtime that has WebGPU, and what computes for it. */
interface Implementation {
  readonly name: string;
  /** How it names itself; the group is its version. */
  readonly says: RegExp;
  readonly by: string;
}

/** Those that say they are another one, too, come first. */
const implementations: readonly Implementation[] = [
  { name: 'deno', says: /^Deno\/([\d.]+)/, by: 'wgpu' },
  { name: 'firefox', says: /\bFirefox\/(\d+)/, by: 'wgpu' },
  { name: 'edge', says: /\bEdg\/(\d+)/, by: 'Dawn' },
  { name: 'chromium', says: /\b(?:Headless)?Chrome\/(\d+)/, by: 'Dawn' },
  { name: 'safari', says: /\bVersion\/(\d+).*\bSafari\//, by: 'WebKit' },
];

/** Which implementation of WebGPU a runtime has, by what it calls itself: "firefox 153 (wgpu)"; undefined where that is not known. */
export function implementationOf(userAgent: string | undefined): string | undefined {
  for (const { name, says, by } of implementations) {
    const version = says.exec(userAgent ?? '')?.[1];
    if (version !== undefined) return `${name} ${version} (${by})`;
  }
  return undefined;
}

/** {@link implementationOf} the runtime that this runs in. */
export const implementationHere = (): string | undefined => implementationOf(navigatorHere().userAgent);
