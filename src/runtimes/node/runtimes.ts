import { join } from 'node:path';
import type { RuntimeName } from '../names.ts';
import { driverVariables, type Runtime } from './runtime.ts';

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

/** Preferences of its profile: WebGPU wherever there is an adapter, without prompts, downloads or limits on long scripts. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  'dom.webgpu.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  'dom.max_script_run_time': 0,
  'dom.min_background_timeout_value': 4,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.sessionstore.resume_from_crash': false,
  'browser.aboutwelcome.enabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'extensions.update.enabled': false,
  'services.settings.server': 'data:,',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

const asScript = (preferences: typeof PREFERENCES) =>
  Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');

/** Firefox: wgpu, on Vulkan, Metal or D3D12. */
export const firefox: Runtime = {
  name: 'firefox',
  what: 'Headless Firefox (wgpu)',
  by: 'wgpu',
  variable: 'FIREFOX_PATH',
  commands: ['firefox', 'firefox-esr'],
  places: [
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
  install: 'Install Firefox 141 or later',
  advice: 'On Linux it needs Vulkan. Try SwiftShader: --adapter software',
  hasNode: false,
  takesToggles: false,
  bringsSoftware: false,
  start: ({ page, folder, software }) => ({
    words: ['--headless', '--no-remote', '--profile', folder, page.href],
    env: { ...driverVariables(software), MOZ_CRASHREPORTER_DISABLE: '1' },
    files: { 'user.js': asScript(PREFERENCES) },
  }),
};

/** Deno: wgpu, without a page. */
export const deno: Runtime = {
  name: 'deno',
  what: 'Deno (wgpu)',
  by: 'wgpu',
  variable: 'DENO_PATH',
  commands: ['deno'],
  places: [],
  install: 'Install Deno 2 (npm i -D deno)',
  advice: 'On Linux it needs Vulkan. Try SwiftShader: --adapter software',
  hasNode: true,
  takesToggles: false,
  bringsSoftware: false,
  start: ({ module, folder, software }) => ({
    words: ['run', '--allow-all', '--no-config', '--no-lock', '--quiet', module.href],
    env: { ...driverVariables(software), DENO_DIR: join(folder, 'cache'), DENO_NO_UPDATE_CHECK: '1' },
  }),
};

/** Runtimes, other than this one, that a gate can judge in. */
export const runtimes: readonly Runtime[] = [chromium, firefox, deno];

/** Returns the runtime of a name; undefined for Node, which also judges without `--in`. */
export const findRuntimeByName = (name: RuntimeName | undefined): Runtime | undefined =>
  runtimes.find((one) => one.name === name);
