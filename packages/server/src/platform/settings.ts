import { resolve } from 'node:path';
import { z } from 'zod';
import { type FilePlace, readFilePlace } from './file-store/place.ts';
import { type Networks, readNetworks } from './outbound/networks.ts';
import { readBytes, readCount, readDuration, readPort, readProxies, readUrl } from './setting-readers.ts';

type Env = Record<string, string | undefined>;

/** One setting: how its text is read, what it is when missing, and the line that --help prints. */
type Setting<Value> = { read: (text: string) => Value; missing: Value; help: string; shown?: string };

const menuLinks = z
  .array(
    z.strictObject({
      name: z.union([z.string().min(1), z.strictObject({ zh_CN: z.string().min(1), en_US: z.string().min(1) })]),
      url: z.string().regex(/^(https?:\/\/|mailto:|tel:)/, 'must begin with http, https, mailto or tel'),
      icon: z.string().optional(),
    }),
  )
  .max(50);
export type MenuLink = z.output<typeof menuLinks>[number];

const text = (value: string): string => value;

const count = (missing: number, help: string): Setting<number> => ({ read: readCount, missing, help });

const duration = (missing: number, shown: string, help: string): Setting<number> => ({
  read: readDuration,
  missing,
  help,
  shown,
});

const settings = {
  PORT: { read: readPort, missing: 8080, help: 'HTTP port; 0 takes a free one' } as Setting<number>,
  HOST: { read: text, missing: '127.0.0.1', help: 'address to listen on' } as Setting<string>,
  DATA_DIR: {
    read: resolve,
    missing: resolve('data'),
    help: 'where SQLite and the secret key live',
    shown: './data',
  } as Setting<string>,
  DATABASE_URL: {
    read: readUrl('postgres:', 'postgresql:'),
    missing: undefined,
    help: 'PostgreSQL instead of SQLite, such as postgres://user:password@host/name',
  } as Setting<string | undefined>,
  PROCESSES: {
    read: (value) => z.enum(['both', 'admin', 'device']).parse(value),
    missing: 'both',
    help: 'what this process runs: both, or on PostgreSQL only admin (HTTP) or only device (MQTT)',
  } as Setting<'both' | 'admin' | 'device'>,
  DEVICE_PROCESS_URL: {
    read: readUrl('http:'),
    missing: undefined,
    help: 'with PROCESSES=admin: address of a device process, for /mqtt on the HTTP port, such as http://10.0.0.2:8080',
  } as Setting<string | undefined>,
  MQTT_PORT: {
    read: (value) => (value === 'off' ? 'off' : readPort(value)),
    missing: 1883,
    help: 'MQTT port for devices; 0 takes a free one; off: MQTT with TLS (and over WebSocket) only',
  } as Setting<number | 'off'>,
  MQTT_PUBLIC_URL: {
    read: readUrl('mqtt:', 'mqtts:'),
    missing: undefined,
    help: 'where devices are told to connect, such as mqtts://iot.example.com:8883',
    shown: 'mqtt://HOST:MQTT_PORT',
  } as Setting<string | undefined>,
  TLS_CERT: {
    read: resolve,
    missing: undefined,
    help: 'certificate file (PEM) of the MQTT listener with TLS; needs TLS_KEY; read again when it changes, and on SIGHUP',
  } as Setting<string | undefined>,
  TLS_KEY: { read: resolve, missing: undefined, help: 'its private key file (PEM)' } as Setting<string | undefined>,
  MQTTS_PORT: {
    read: readPort,
    missing: 8883,
    help: 'MQTT port with TLS, where TLS_CERT and TLS_KEY are given; 0 takes a free one',
  } as Setting<number>,
  DRAIN_TIME: {
    read: readDuration,
    missing: 0,
    help: 'on SIGTERM /health/ready answers 503 for this long before the hub stops, so that balancers leave it first',
    shown: '0s',
  } as Setting<number>,
  DEVICE_TOKEN_LIFE: {
    read: readDuration,
    missing: 86_400_000,
    help: "a device's token ends after this long unless refreshed",
    shown: '24h',
  } as Setting<number>,
  ZONE_KEEP_ALIVE: duration(60_000, '60s', "keep-alive of devices on a zone's broker that do not report theirs"),
  RETENTION_DAYS: {
    read: readCount,
    missing: 90,
    help: 'messages, connections, logs and samples are kept this many days',
  } as Setting<number>,
  RETENTION_BYTES: {
    read: readBytes,
    missing: 50 * 1024 ** 3,
    help: 'and at most this many bytes of them, the oldest going first; such as 50G',
    shown: '50G',
  } as Setting<number>,
  RETENTION_EVERY: duration(3_600_000, '1h', 'how often old records are looked for'),
  SYNC_COMPARE_EVERY: {
    read: readDuration,
    missing: 60_000,
    help: 'how often devices are compared with what other installations have of them',
    shown: '1m',
  } as Setting<number>,
  FILE_STORE: {
    read: readFilePlace,
    missing: undefined,
    help: 'where firmware lies: a folder, or s3://KEY:SECRET@bucket/prefix?endpoint=https://host:port&region=name',
    shown: 'DATA_DIR/firmware',
  } as Setting<FilePlace | undefined>,
  FIRMWARE_MAX: {
    read: readBytes,
    missing: 2 * 1024 ** 3,
    help: 'a firmware file has at most this many bytes',
    shown: '2G',
  } as Setting<number>,
  FIRMWARE_LINK_LIFE: {
    read: readDuration,
    missing: 3_600_000,
    help: 'a device may begin its download for this long; after that it asks for a new link',
    shown: '1h',
  } as Setting<number>,
  FIRMWARE_SWEEP: duration(600_000, '10m', 'how often firmware that nobody uses is looked for'),
  ADMIN_PASSWORD: {
    read: text,
    missing: undefined,
    help: 'password of the account admin at the very first start; random and printed when missing',
  } as Setting<string | undefined>,
  SECRET_KEY: {
    read: text,
    missing: undefined,
    help: 'encrypts secrets at rest; made once in DATA_DIR/secret.key when missing; give it with several hubs',
  } as Setting<string | undefined>,
  SMTP_URL: {
    read: readUrl('smtp:', 'smtps:'),
    missing: undefined,
    help: 'mail server, such as smtp://user:password@host:587; mails stay in the outbox when missing',
  } as Setting<string | undefined>,
  MAIL_FROM: {
    read: text,
    missing: 'Device Center <device-center@localhost>',
    help: "the mails' sender",
  } as Setting<string>,
  SMS_WEBHOOK_URL: {
    read: readUrl('http:', 'https:'),
    missing: undefined,
    help: 'text messages are POSTed here as { phone, text }; they stay in the outbox when missing',
  } as Setting<string | undefined>,
  PUBLIC_URL: {
    read: (value) => readUrl('http:', 'https:')(value).replace(/\/+$/, ''),
    missing: undefined,
    help: "the console's address as people see it; named in mails",
    shown: 'http://HOST:PORT',
  } as Setting<string | undefined>,
  SESSION_IDLE: {
    read: readDuration,
    missing: 7_200_000,
    help: 'a session ends after this long unused',
    shown: '2h',
  } as Setting<number>,
  SESSION_LIFE: {
    read: readDuration,
    missing: 86_400_000,
    help: 'a session ends after this long in any case',
    shown: '24h',
  } as Setting<number>,
  MENU_LINKS: {
    read: (value) => menuLinks.parse(JSON.parse(value)),
    missing: [],
    help: 'external menu entries, JSON: [{"name":{"zh_CN":"…","en_US":"…"},"url":"https://…"}]',
    shown: 'none',
  } as Setting<MenuLink[]>,
  RATE_LIMIT: count(3_000, 'requests a minute and address'),
  RATE_LIMIT_PUBLIC: count(120, 'requests a minute and address to calls without a token (log-in, codes)'),
  RATE_LIMIT_DEVICES: count(
    30_000,
    'requests a minute and address to the calls that devices make; many devices may share an address',
  ),
  MQTT_CONNECTIONS: count(
    20_000,
    'devices that may be connected to this hub; each is an open file, so mind the limit of those',
  ),
  MQTT_PENDING_PER_ADDRESS: count(
    200,
    'open connections of one address (or IPv6 /64) that are not logged in; addresses in TRUST_PROXY are free of it',
  ),
  MQTT_FAILED_PER_ADDRESS: count(
    3_000,
    'failed CONNECTs a minute of one address (or IPv6 /64); addresses in TRUST_PROXY are free of it',
  ),
  TRUST_PROXY: {
    read: readProxies,
    missing: false,
    help: 'proxies in front whose X-Forwarded-For is believed: a count, or their addresses',
    shown: 'none',
  } as Setting<number | string | false>,
  NODE_NETWORKS: {
    read: readNetworks,
    missing: readNetworks('public,private'),
    help: "where availability zones' nodes may be: public, private, loopback, or networks such as 10.0.0.0/8",
    shown: 'public,private',
  } as Setting<Networks>,
  LOG_LEVEL: {
    read: (value) => z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).parse(value),
    // A person at a terminal looks for the ready line; whoever collects logs wants every call.
    missing: process.stderr.isTTY ? 'warn' : 'info',
    help: 'how much is logged (JSON lines on standard error)',
    shown: 'info; warn in a terminal',
  } as Setting<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'>,
};

type Table = typeof settings;
type Names = keyof Table;
export type Settings = { [Name in Names]: Table[Name]['missing'] };

export class SettingsError extends Error {}

const names = Object.keys(settings) as Names[];
export const settingNames: readonly string[] = names;

const reasonOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return error.issues.map((issue) => issue.message).join('; ');
  return error instanceof Error ? error.message : String(error);
};

const readOne = <Name extends Names>(name: Name, env: Env): Table[Name]['missing'] => {
  const setting: Setting<unknown> = settings[name];
  const value = env[name];
  if (value === undefined || value === '') return setting.missing as Table[Name]['missing'];
  try {
    return setting.read(value) as Table[Name]['missing'];
  } catch (error) {
    throw new SettingsError(`${name}: ${reasonOf(error)}`);
  }
};

/** What is right in itself and wrong together. */
const refuseTogether = (settings: Settings): void => {
  const { PROCESSES, DATABASE_URL, MQTT_PORT, MQTT_PUBLIC_URL, TLS_CERT, TLS_KEY } = settings;
  if (PROCESSES !== 'both' && !DATABASE_URL)
    throw new SettingsError(`PROCESSES: ${PROCESSES} alone needs PostgreSQL (DATABASE_URL); SQLite is for one machine`);
  if (PROCESSES === 'admin' && !MQTT_PUBLIC_URL)
    throw new SettingsError('MQTT_PUBLIC_URL: needed with PROCESSES=admin, so that devices are told where to connect');
  if (PROCESSES !== 'admin' && MQTT_PORT === 'off' && !(TLS_CERT && TLS_KEY))
    throw new SettingsError('MQTT_PORT: off needs TLS_CERT and TLS_KEY; otherwise devices have no MQTT port left');
};

export const readSettings = (env: Env): Settings => {
  const read = Object.fromEntries(names.map((name) => [name, readOne(name, env)])) as Settings;
  refuseTogether(read);
  return read;
};

export const settingsHelp = (): string => {
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return names
    .map((name) => {
      const { help, missing, shown }: Setting<unknown> = settings[name];
      const preset = shown ?? (missing === undefined ? 'none' : String(missing));
      return `  ${name.padEnd(width)}${help} [${preset}]`;
    })
    .join('\n');
};
