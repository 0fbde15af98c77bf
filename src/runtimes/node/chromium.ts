import type { Runtime } from './runtime.ts';

/** Features that no run needs: they would prompt, download or wait. */
const QUIET = [
  ...['no-first-run', 'no-default-browser-check', 'disable-extensions', 'disable-sync', 'mute-audio'],
  ...['disable-background-networking', 'disable-component-update', 'disable-default-apps'],
];

/** Flags that keep a hidden page from being slowed down. */
const AWAKE = [
  'disable-background-timer-throttling',
  'disable-renderer-backgrounding',
  'disable-backgrounding-occluded-windows',
];

/** Chromium, Chrome and their like: Dawn, in a process of its own. */
export const chromium: Runtime = {
  name: 'chromium',
  what: 'Headless Chromium or Chrome (Dawn)',
  by: 'Dawn',
  variable: 'CHROMIUM_PATH',
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  places: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  install: 'Install Chromium or Chrome',
  advice: 'Its GPU process may have failed to start. Try its own SwiftShader: --adapter software',
  hasNode: false,
  takesToggles: true,
  bringsSoftware: true,
  start({ page, folder, toggles, software }) {
    // Chromium knows where WebGPU is on by default. On Linux, headless Vulkan must be enabled.
    const hardware = process.platform === 'linux' ? ['enable-features=Vulkan', 'ignore-gpu-blocklist'] : [];
    const flags = [
      ...['headless', `user-data-dir=${folder}`, ...QUIET, ...AWAKE, 'disable-dev-shm-usage'],
      // Its sandbox refuses to run as root, as in most containers.
      ...(process.getuid?.() === 0 ? ['no-sandbox'] : []),
      'enable-unsafe-webgpu',
      ...(software === undefined ? hardware : ['use-webgpu-adapter=swiftshader']),
      ...(toggles.length === 0 ? [] : [`enable-dawn-features=${toggles.join()}`]),
    ];
    return { words: [...flags.map((flag) => `--${flag}`), page.href], env: {} };
  },
};
