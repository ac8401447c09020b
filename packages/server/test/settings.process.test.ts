import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnvironment, type Environment } from './environment.ts';
import { runCli } from './run-cli.ts';

let environment: Environment;
beforeAll(async () => {
  environment = await createEnvironment();
});
afterAll(() => environment.dispose());

describe('an invalid setting', () => {
  // Other invalid settings and their messages: settings.test.ts.
  it.each([
    ['PORT', 'abc'],
    ['FILE_STORE', '/dev/null/firmware'],
  ])('%s=%s prevents the start with its name', async (name, value) => {
    const env = { ...environment.env, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'warn', [name]: value };
    const { code, out, err } = await runCli('main.ts', env);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^cannot start: ${name}: .+\\n$`));
    expect(out).toBe('');
  });
});

describe('--help', () => {
  it('lists every setting with its default, and starts nothing', async () => {
    const { code, out, err } = await runCli('main.ts', { DATA_DIR: '/dev/null/data' }, '--help');
    expect([code, err]).toEqual([0, '']);
    const listed = [...out.matchAll(/^ {2}([A-Z_]+) +\S.* \[.+\]$/gm)].map((match) => match[1]);
    expect(listed).toEqual([
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'PROCESSES', 'DEVICE_PROCESS_URL'],
      ...[
        'MQTT_PORT',
        'MQTT_PUBLIC_URL',
        'TLS_CERT',
        'TLS_KEY',
        'MQTTS_PORT',
        'DRAIN_TIME',
        'DEVICE_TOKEN_LIFE',
        'ZONE_KEEP_ALIVE',
        'RETENTION_DAYS',
        'RETENTION_BYTES',
        'RETENTION_EVERY',
        'SYNC_COMPARE_EVERY',
      ],
      ...['FILE_STORE', 'FIRMWARE_MAX', 'FIRMWARE_LINK_LIFE', 'FIRMWARE_SWEEP'],
      ...['ADMIN_PASSWORD', 'SECRET_KEY', 'SMTP_URL'],
      ...['MAIL_FROM', 'SMS_WEBHOOK_URL', 'PUBLIC_URL', 'SESSION_IDLE', 'SESSION_LIFE', 'MENU_LINKS', 'RATE_LIMIT'],
      ...[
        'RATE_LIMIT_PUBLIC',
        'RATE_LIMIT_DEVICES',
        'MQTT_CONNECTIONS',
        'MQTT_PENDING_PER_ADDRESS',
        'MQTT_FAILED_PER_ADDRESS',
        'TRUST_PROXY',
        'NODE_NETWORKS',
        'LOG_LEVEL',
      ],
    ]);
  });
});
