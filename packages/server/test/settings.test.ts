import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../src/platform/settings.ts';

const refusalOf = (env: Record<string, string>): string => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
};

// That a start with such a setting ends with its message and exit code 1: settings.process.test.ts.
describe('an invalid setting', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['MQTT_PORT', '-1'],
    ['MQTT_PORT', 'none'],
    ['MQTT_PORT', 'off'],
    ['DRAIN_TIME', 'a while'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMS_WEBHOOK_URL', 'ftp://example.com'],
    ['FILE_STORE', 'ftp://example.com/x'],
    ['FILE_STORE', 's3://'],
    ['FILE_STORE', 's3://bucket?endpoint=nowhere'],
    ['FILE_STORE', 's3://bucket?regoin=x'],
    ['FILE_STORE', 's3://key@bucket'],
    ['FIRMWARE_MAX', 'huge'],
    ['SESSION_IDLE', 'soon'],
    ['RATE_LIMIT', '0'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everyone'],
    ['NODE_NETWORKS', 'everyone'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['PROCESSES', 'none'],
    ['DEVICE_PROCESS_URL', 'mqtt://example.com'],
    ['MENU_LINKS', '{not json'],
    ['MENU_LINKS', '{"name":"a","url":"https://example.com"}'],
    ['MENU_LINKS', '[{"name":"a","url":"javascript:alert(1)"}]'],
  ])('%s=%s is rejected by name', (name, value) => {
    expect(refusalOf({ [name]: value })).toMatch(new RegExp(`^${name}: .+$`));
  });
});

describe('MQTT without TLS', () => {
  const tls = { TLS_CERT: '/etc/hub.crt', TLS_KEY: '/etc/hub.key' };

  const incomplete: Record<string, string>[] = [{}, { TLS_CERT: tls.TLS_CERT }, { TLS_KEY: tls.TLS_KEY }];

  it.each(incomplete)('cannot be off without a certificate: %o', (given) => {
    expect(refusalOf({ MQTT_PORT: 'off', ...given })).toBe(
      'MQTT_PORT: off needs TLS_CERT and TLS_KEY; otherwise devices have no MQTT port left',
    );
  });

  it('can be off with one, and without device connections', () => {
    expect(readSettings({ MQTT_PORT: 'off', ...tls }).MQTT_PORT).toBe('off');
    const admin = {
      PROCESSES: 'admin',
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      MQTT_PUBLIC_URL: 'mqtts://example.com',
    };
    expect(readSettings({ MQTT_PORT: 'off', ...admin }).MQTT_PORT).toBe('off');
  });
});

describe('a hub with one process', () => {
  it.each(['admin', 'device'])('needs PostgreSQL: PROCESSES=%s', (PROCESSES) => {
    expect(refusalOf({ PROCESSES })).toBe(
      `PROCESSES: ${PROCESSES} alone needs PostgreSQL (DATABASE_URL); SQLite is for one machine`,
    );
  });

  it('needs the address of devices when it is an admin process', () => {
    expect(refusalOf({ DATABASE_URL: 'postgres://127.0.0.1:1/x', PROCESSES: 'admin' })).toBe(
      'MQTT_PUBLIC_URL: needed with PROCESSES=admin, so that devices get an address to connect to',
    );
  });
});
