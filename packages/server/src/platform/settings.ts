import { resolve } from 'node:path';
import { z } from 'zod';
import { type FileStoreLocation, readFileStore } from './file-store/file-store-location.ts';
import { type Networks, readNetworks } from './outbound/networks.ts';
import { readBytes, readCount, readDuration, readPort, readProxies, readUrl } from './setting-readers.ts';

type Env = Record<string, string | undefined>;

/** A setting: its parser, its default, and its line in --help. */
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
  PORT: { read: readPort, missing: 8080, help: 'HTTP port; 0 chooses a free one' } as Setting<number>,
  HOST: { read: text, missing: '127.0.0.1', help: 'address to listen on' } as Setting<string>,
  DATA_DIR: {
    read: resolve,
    missing: resolve('data'),
    help: 'folder of the SQLite files and the secret key',
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
    help: 'MQTT port for devices; 0 chooses a free one; off: MQTT with TLS (and over WebSocket) only',
  } as Setting<number | 'off'>,
  MQTT_PUBLIC_URL: {
    read: readUrl('mqtt:', 'mqtts:'),
    missing: undefined,
    help: 'address that devices are given to connect to, such as mqtts://iot.example.com:8883',
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
    help: 'MQTT port with TLS, if TLS_CERT and TLS_KEY are set; 0 chooses a free one',
  } as Setting<number>,
  DRAIN_TIME: {
    read: readDuration,
    missing: 0,
    help: 'on SIGTERM /health/ready answers 503 for this long before the hub stops, so that load balancers remove it first',
    shown: '0s',
  } as Setting<number>,
  DEVICE_TOKEN_LIFE: {
    read: readDuration,
    missing: 86_400_000,
    help: "a device's token expires after this time unless refreshed",
    shown: '24h',
  } as Setting<number>,
  ZONE_KEEP_ALIVE: duration(60_000, '60s', "keep-alive of devices on a zone's broker that do not report theirs"),
  RETENTION_DAYS: {
    read: readCount,
    missing: 90,
    help: 'days to keep messages, connections, logs and samples',
  } as Setting<number>,
  RETENTION_BYTES: {
    read: readBytes,
    missing: 50 * 1024 ** 3,
    help: 'maximum size of these records; the oldest are deleted first; such as 50G',
    shown: '50G',
  } as Setting<number>,
  RETENTION_EVERY: duration(3_600_000, '1h', 'interval of deleting old records'),
  SYNC_COMPARE_EVERY: {
    read: readDuration,
    missing: 60_000,
    help: 'interval of comparing devices with other installations',
    shown: '1m',
  } as Setting<number>,
  FILE_STORE: {
    read: readFileStore,
    missing: undefined,
    help: 'firmware store: a folder, or s3://KEY:SECRET@bucket/prefix?endpoint=https://host:port&region=name',
    shown: 'DATA_DIR/firmware',
  } as Setting<FileStoreLocation | undefined>,
  FIRMWARE_MAX: {
    read: readBytes,
    missing: 2 * 1024 ** 3,
    help: 'maximum size of a firmware file',
    shown: '2G',
  } as Setting<number>,
  FIRMWARE_LINK_LIFE: {
    read: readDuration,
    missing: 3_600_000,
    help: 'validity of a firmware download link; after that the device requests a new one',
    shown: '1h',
  } as Setting<number>,
  FIRMWARE_SWEEP: duration(600_000, '10m', 'interval of deleting unused firmware'),
  ADMIN_PASSWORD: {
    read: text,
    missing: undefined,
    help: 'password of the account admin at the first start; random and printed if missing',
  } as Setting<string | undefined>,
  SECRET_KEY: {
    read: text,
    missing: undefined,
    help: 'encrypts secrets at rest; created in DATA_DIR/secret.key if missing; set it with several hubs',
  } as Setting<string | undefined>,
  SMTP_URL: {
    read: readUrl('smtp:', 'smtps:'),
    missing: undefined,
    help: 'mail server, such as smtp://user:password@host:587; mails stay in the outbox if missing',
  } as Setting<string | undefined>,
  MAIL_FROM: {
    read: text,
    missing: 'Device Center <device-center@localhost>',
    help: 'sender of mails',
  } as Setting<string>,
  SMS_WEBHOOK_URL: {
    read: readUrl('http:', 'https:'),
    missing: undefined,
    help: 'text messages are POSTed here as { phone, text }; they stay in the outbox if missing',
  } as Setting<string | undefined>,
  PUBLIC_URL: {
    read: (value) => readUrl('http:', 'https:')(value).replace(/\/+$/, ''),
    missing: undefined,
    help: 'public URL of the console; used in mails',
    shown: 'http://HOST:PORT',
  } as Setting<string | undefined>,
  SESSION_IDLE: {
    read: readDuration,
    missing: 7_200_000,
    help: 'a user session expires after this time without use',
    shown: '2h',
  } as Setting<number>,
  SESSION_LIFE: {
    read: readDuration,
    missing: 86_400_000,
    help: 'maximum duration of a user session',
    shown: '24h',
  } as Setting<number>,
  MENU_LINKS: {
    read: (value) => menuLinks.parse(JSON.parse(value)),
    missing: [],
    help: 'external menu entries, JSON: [{"name":{"zh_CN":"…","en_US":"…"},"url":"https://…"}]',
    shown: 'none',
  } as Setting<MenuLink[]>,
  RATE_LIMIT: count(3_000, 'requests per minute and address'),
  RATE_LIMIT_PUBLIC: count(120, 'requests per minute and address to calls without a token (login, codes)'),
  RATE_LIMIT_DEVICES: count(
    30_000,
    'requests per minute and address to the calls for devices; many devices may share an address',
  ),
  MQTT_CONNECTIONS: count(
    20_000,
    'maximum device connections of this hub; each needs an open file, so check that limit',
  ),
  MQTT_PENDING_PER_ADDRESS: count(
    200,
    'open connections of one address (or IPv6 /64) that are not logged in; addresses in TRUST_PROXY are exempt',
  ),
  MQTT_FAILED_PER_ADDRESS: count(
    3_000,
    'failed CONNECTs per minute of one address (or IPv6 /64); addresses in TRUST_PROXY are exempt',
  ),
  TRUST_PROXY: {
    read: readProxies,
    missing: false,
    help: 'trusted proxies, whose X-Forwarded-For is used: a count, or their addresses',
    shown: 'none',
  } as Setting<number | string | false>,
  NODE_NETWORKS: {
    read: readNetworks,
    missing: readNetworks('public,private'),
    help: 'networks in which nodes of availability zones may be: public, private, loopback, or networks such as 10.0.0.0/8',
    shown: 'public,private',
  } as Setting<Networks>,
  LOG_LEVEL: {
    read: (value) => z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).parse(value),
    // In a terminal the ready line should stand out; log collectors want every call.
    missing: process.stderr.isTTY ? 'warn' : 'info',
    help: 'log level (JSON lines on standard error)',
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

/** Rejects combinations of valid settings that contradict each other. */
const assertConsistent = (settings: Settings): void => {
  const { PROCESSES, DATABASE_URL, MQTT_PORT, MQTT_PUBLIC_URL, TLS_CERT, TLS_KEY } = settings;
  if (PROCESSES !== 'both' && !DATABASE_URL)
    throw new SettingsError(`PROCESSES: ${PROCESSES} alone needs PostgreSQL (DATABASE_URL); SQLite is for one machine`);
  if (PROCESSES === 'admin' && !MQTT_PUBLIC_URL)
    throw new SettingsError(
      'MQTT_PUBLIC_URL: needed with PROCESSES=admin, so that devices get an address to connect to',
    );
  if (PROCESSES !== 'admin' && MQTT_PORT === 'off' && !(TLS_CERT && TLS_KEY))
    throw new SettingsError('MQTT_PORT: off needs TLS_CERT and TLS_KEY; otherwise devices have no MQTT port left');
};

export const readSettings = (env: Env): Settings => {
  const read = Object.fromEntries(names.map((name) => [name, readOne(name, env)])) as Settings;
  assertConsistent(read);
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
