import { networkInterfaces } from 'node:os';
import type { Settings } from '../settings.ts';
import { isLoopback, plainAddress } from './networks.ts';

export type OwnSettings = Pick<
  Settings,
  'HOST' | 'PORT' | 'MQTT_PORT' | 'MQTTS_PORT' | 'DATABASE_URL' | 'SMTP_URL' | 'SMS_WEBHOOK_URL' | 'FILE_STORE'
>;

type Place = { host: string; port: number };
type Resolve = (host: string) => Promise<{ address: string }[]>;

const PORTS = new Map([
  ['postgres:', 5432],
  ['postgresql:', 5432],
  ['smtp:', 587],
  ['smtps:', 465],
  ['http:', 80],
  ['https:', 443],
]);

const placeOf = (text: string | undefined): Place[] => {
  const url = text === undefined ? null : URL.parse(text);
  if (!url) return [];
  const host = (url.searchParams.get('host') ?? url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost';
  return [{ host, port: Number(url.port) || (PORTS.get(url.protocol) ?? 0) }];
};

const isOfThisMachine = (plain: string): boolean =>
  isLoopback(plain) ||
  Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => plainAddress(address) === plain));

/**
 * What the hub itself listens on and leans on: its own ports, its database, its mail server, its file store. Nobody
 * reaches them through the hub, whichever networks are allowed.
 */
export const createOwnListeners = (settings: OwnSettings, ownPorts: () => (number | null)[], resolve: Resolve) => {
  const { FILE_STORE } = settings;
  const leansOn = [
    ...placeOf(settings.DATABASE_URL),
    ...placeOf(settings.SMTP_URL),
    ...placeOf(settings.SMS_WEBHOOK_URL),
    ...(FILE_STORE?.kind === 's3' ? placeOf(FILE_STORE.endpoint) : []),
  ];
  const ports = () => [settings.PORT, settings.MQTT_PORT, settings.MQTTS_PORT, ...ownPorts()];

  const isAt = async (plain: string, host: string): Promise<boolean> => {
    const found = await resolve(host).catch(() => []);
    return found.some(({ address }) => {
      const other = plainAddress(address);
      return other !== undefined && (other === plain || (isOfThisMachine(other) && isOfThisMachine(plain)));
    });
  };

  return async (address: string, port: number): Promise<boolean> => {
    const plain = plainAddress(address) ?? address;
    if (ports().includes(port) && isOfThisMachine(plain)) return true;
    for (const place of leansOn) if (place.port === port && (await isAt(plain, place.host))) return true;
    return false;
  };
};
