import { expect, it } from 'vitest';
import { cleanEnvironment, isAllowed } from './environment.ts';

it.each(['PATH', 'LC_ALL', 'OMP_NUM_THREADS', 'CUDA_VISIBLE_DEVICES', 'VK_ICD_FILENAMES', 'VIRTUAL_ENV'])(
  '%s is passed on',
  (name) => expect(isAllowed(name, '1')).toBe(true),
);

it.each([
  ['HOME', '/root'],
  ['SSH_AUTH_SOCK', '/tmp/x'],
  ['GITHUB_TOKEN', 'x'],
  ['NODE_OPTIONS', '--import=x'],
  ['LD_PRELOAD', 'x.so'],
  ['PYTHONSTARTUP', 'x.py'],
  // Secrets whose names are in families that are passed on.
  ['CUDA_API_TOKEN', 'x'],
  ['NVIDIA_API_KEY', 'x'],
  ['TORCH_PASSWORD', 'x'],
  ['TF_CREDENTIALS', 'x'],
  ['JAX_SECRET', 'x'],
  ['XLA_AUTH', 'x'],
  ['CUDA_X', 'ghp_0123456789abcdef0123'],
  ['TF_INDEX', 'https://me:hunter2@pypi.example.com'],
  ['TRITON_X', '-----BEGIN PRIVATE KEY-----'],
])('%s=%s is not', (name, value) => expect(isAllowed(name, value)).toBe(false));

it('home and all that is temporary lie in the folder, and what is named is passed on', () => {
  const env = cleanEnvironment({ HOME: '/root', TMPDIR: '/x', PATH: '/bin', GITHUB_TOKEN: 'x' }, '/f', {
    MY: '1',
  });
  expect(env).toMatchObject({ HOME: '/f', TMPDIR: '/f', PATH: '/bin', MY: '1' });
  expect(
    Object.entries(env).filter(([name, value]) => /^(XDG_|HOME)/.test(name) && !value.startsWith('/f')),
  ).toEqual([]);
  expect(env).not.toHaveProperty('GITHUB_TOKEN');
});
