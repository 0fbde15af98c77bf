import { driverVariables, type Runtime } from './runtime.ts';

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
