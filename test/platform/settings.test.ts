import { describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/log.js';
import {
  readSettings,
  requireSettings,
  requireWayToSignIn,
  SECRET_SETTINGS,
  SETTING_NAMES,
  SettingsError,
} from '../../platform/settings.js';

function readErrorMessage(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  return expect.fail('nothing was wrong');
}

describe('settings', () => {
  it('have defaults for one machine and listen only on localhost', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      TEMPORAL_NAMESPACE: 'default',
      INVESTIGATION_MAX_RETRIES: 3,
      LOG_LEVEL: 'info',
      TEMPORAL_TLS: false,
    });
    expect(readSettings({}).DATABASE_URL).toBeUndefined();
  });

  it('ignore empty values', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '', ADMIN_API_KEY: '', TEMPORAL_TLS: '' })).toEqual(readSettings({}));
  });

  it('ignore other environment variables', () => {
    expect(readSettings({ PATH: '/bin', HOME: '/root' })).toEqual(readSettings({}));
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_POOL_SIZE', '1'],
    ['TEMPORAL_ADDRESS', 'http://localhost:7233'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['TEMPORAL_TLS', 'yes'],
    ['TEMPORAL_UI_PORT', '-1'],
    ['MASTER_KEY', 'short'],
    ['MASTER_KEY', Buffer.alloc(31).toString('base64')],
    ['ADMIN_API_KEY', 'too-short'],
    ['ADMIN_API_KEY', `${'x'.repeat(24)};`],
    ['INVESTIGATION_MAX_RETRIES', '-1'],
    ['INVESTIGATION_MAX_RETRIES', '21'],
    ['REQUESTS_PER_MINUTE', '0'],
    ['TLS_CERT_FILE', '/etc/cert.pem'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['ALLOWED_HOSTS', 'https://api.internal'],
    ['ALLOWED_HOSTS', 'api.internal:3000'],
    ['ALLOWED_HOSTS', '*.internal'],
    ['LOG_LEVEL', 'loud'],
  ])('name the invalid variable: %s=%s', (name, value) => {
    const message = readErrorMessage(() => readSettings({ [name]: value }));
    expect(message).toMatch(new RegExp(`^  ${name}: `, 'm'));
    expect(message.match(/^ {2}[A-Z_]+: /gm)).toHaveLength(1);
    if (name.endsWith('KEY')) expect(message).not.toContain(value);
  });

  it('name every invalid variable at once', () => {
    const message = readErrorMessage(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y', TEMPORAL_ADDRESS: 'z' }));
    for (const name of ['PORT', 'LOG_LEVEL', 'TEMPORAL_ADDRESS']) expect(message).toContain(`  ${name}: `);
  });

  it('name the missing variables that a process requires', () => {
    const names = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEY'] as const;
    const message = readErrorMessage(() => requireSettings(readSettings({ TEMPORAL_ADDRESS: 'temporal:7233' }), names));
    expect(message).toContain('DATABASE_URL, MASTER_KEY');
    expect(message).not.toContain('TEMPORAL_ADDRESS');
    const given = {
      DATABASE_URL: 'postgres://u:p@h:5432/d',
      TEMPORAL_ADDRESS: 'temporal:7233',
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
    };
    expect(requireSettings(readSettings(given), names)).toMatchObject({ ...given, MASTER_KEY: [given.MASTER_KEY] });
  });

  it('accept valid values', () => {
    const given = {
      PORT: '0',
      TEMPORAL_TLS: 'true',
      ADMIN_API_KEY: 'a-Key_with.all~of+it/==1234',
      DATABASE_URL: 'postgresql://u:p%40@[::1]:5432/d?sslmode=require',
    };
    expect(readSettings(given)).toMatchObject({ ...given, PORT: 0, TEMPORAL_TLS: true });
  });

  it('include the variables of the specification', () => {
    expect(SETTING_NAMES).toEqual(
      expect.arrayContaining([
        ...[
          'PORT',
          'HOST',
          'DATA_DIR',
          'DATABASE_URL',
          'TEMPORAL_ADDRESS',
          'TEMPORAL_NAMESPACE',
          'TEMPORAL_TASK_QUEUE',
          'TEMPORAL_API_KEY',
        ],
        ...['TEMPORAL_UI_PORT', 'MASTER_KEY', 'ADMIN_API_KEY', 'INVESTIGATION_MAX_RETRIES', 'LOG_LEVEL'],
      ]),
    );
  });
});

it('no log line contains the value of a secret setting', () => {
  const secret = /(_KEY|_SECRET|_TOKEN|PASSWORD|DATABASE_URL)$/;
  expect([...SECRET_SETTINGS].sort()).toEqual(SETTING_NAMES.filter((name) => secret.test(name)).sort());
  const lines: string[] = [];
  const log = createLogger('info', 'test', { to: { write: (line) => void lines.push(line) } });
  const values = Object.fromEntries(SECRET_SETTINGS.map((name) => [name, `value of ${name}`]));
  log.info({ settings: values, env: values, ...values }, 'start');
  expect(lines.join('')).toContain('[redacted]');
  expect(lines.join('')).not.toContain('value of');
});

it('the API needs an identity provider without the local sign-in, and a worker does not', () => {
  const settings = readSettings({ LOCAL_SIGN_IN: 'false' });
  expect(() => requireWayToSignIn(settings)).toThrow('LOCAL_SIGN_IN can be false only with an identity provider');
  expect(() => requireWayToSignIn({ ...settings, OIDC_ISSUER: 'https://login.example' })).not.toThrow();
});
