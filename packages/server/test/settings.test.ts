import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { freshPlace, type Place } from './hub-process.ts';

let place: Place;
beforeAll(async () => {
  place = await freshPlace();
});
afterAll(() => place.dispose());

describe('a setting that cannot be', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['MQTT_PORT', '-1'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMS_WEBHOOK_URL', 'ftp://example.com'],
    ['FILE_STORE', 'ftp://example.com/x'],
    ['FILE_STORE', 's3://'],
    ['FILE_STORE', 's3://bucket?endpoint=nowhere'],
    ['FILE_STORE', 's3://bucket?regoin=x'],
    ['FILE_STORE', 's3://key@bucket'],
    ['FILE_STORE', '/dev/null/firmware'],
    ['FIRMWARE_MAX', 'huge'],
    ['SESSION_IDLE', 'soon'],
    ['RATE_LIMIT', '0'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everyone'],
    ['NODE_NETWORKS', 'everyone'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['SIDES', 'none'],
    ['DEVICE_SIDE_URL', 'mqtt://example.com'],
    ['MENU_LINKS', '{not json'],
    ['MENU_LINKS', '{"name":"a","url":"https://example.com"}'],
    ['MENU_LINKS', '[{"name":"a","url":"javascript:alert(1)"}]'],
  ])('%s=%s stops the start, which names it', async (name, value) => {
    const env = { ...place.env, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'warn', [name]: value };
    const { code, out, err } = await runCommand('main.ts', env);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^cannot start: ${name}: .+\\n$`));
    expect(out).toBe('');
  });
});

describe('one side without the other', () => {
  it.each(['admin', 'device'])('needs PostgreSQL: SIDES=%s', async (SIDES) => {
    const { code, err } = await runCommand('main.ts', { DATA_DIR: place.env.DATA_DIR ?? '', SIDES });
    expect([code, err]).toEqual([
      1,
      `cannot start: SIDES: ${SIDES} alone needs PostgreSQL (DATABASE_URL); SQLite is for one machine\n`,
    ]);
  });

  it('is told where devices connect, where it is the admin side', async () => {
    const env = { DATA_DIR: place.env.DATA_DIR ?? '', DATABASE_URL: 'postgres://127.0.0.1:1/x', SIDES: 'admin' };
    const { code, err } = await runCommand('main.ts', env);
    expect([code, err]).toEqual([
      1,
      'cannot start: MQTT_PUBLIC_URL: needed with SIDES=admin, so that devices are told where to connect\n',
    ]);
  });
});

describe('--help', () => {
  it('lists every setting with what it is when missing, and starts nothing', async () => {
    const { code, out, err } = await runCommand('main.ts', { DATA_DIR: '/dev/null/data' }, '--help');
    expect([code, err]).toEqual([0, '']);
    const listed = [...out.matchAll(/^ {2}([A-Z_]+) +\S.* \[.+\]$/gm)].map((match) => match[1]);
    expect(listed).toEqual([
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'SIDES', 'DEVICE_SIDE_URL'],
      ...[
        'MQTT_PORT',
        'MQTT_PUBLIC_URL',
        'TLS_CERT',
        'TLS_KEY',
        'MQTTS_PORT',
        'DEVICE_TOKEN_LIFE',
        'RETENTION_DAYS',
        'RETENTION_BYTES',
        'RETENTION_EVERY',
        'SYNC_COMPARE_EVERY',
      ],
      ...['FILE_STORE', 'FIRMWARE_MAX', 'FIRMWARE_LINK_LIFE', 'FIRMWARE_SWEEP'],
      ...['ADMIN_PASSWORD', 'SECRET_KEY', 'SMTP_URL'],
      ...['MAIL_FROM', 'SMS_WEBHOOK_URL', 'PUBLIC_URL', 'SESSION_IDLE', 'SESSION_LIFE', 'MENU_LINKS', 'RATE_LIMIT'],
      ...['RATE_LIMIT_PUBLIC', 'RATE_LIMIT_DEVICES', 'MQTT_CONNECTIONS', 'TRUST_PROXY', 'NODE_NETWORKS', 'LOG_LEVEL'],
    ]);
  });
});
