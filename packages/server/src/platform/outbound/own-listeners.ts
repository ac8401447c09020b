import { networkInterfaces } from 'node:os';
import type { Settings } from '../settings.ts';
import { isLoopback, plainAddress } from './networks.ts';

export type OwnSettings = Pick<
  Settings,
  'HOST' | 'PORT' | 'MQTT_PORT' | 'MQTTS_PORT' | 'DATABASE_URL' | 'SMTP_URL' | 'SMS_WEBHOOK_URL' | 'FILE_STORE'
>;

type Endpoint = { host: string; port: number };
type Resolve = (host: string) => Promise<{ address: string }[]>;

const PORTS = new Map([
  ['postgres:', 5432],
  ['postgresql:', 5432],
  ['smtp:', 587],
  ['smtps:', 465],
  ['http:', 80],
  ['https:', 443],
]);

const endpointOf = (text: string | undefined): Endpoint[] => {
  const url = text === undefined ? null : URL.parse(text);
  if (!url) return [];
  const host = (url.searchParams.get('host') ?? url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost';
  return [{ host, port: Number(url.port) || (PORTS.get(url.protocol) ?? 0) }];
};

const isOfThisMachine = (plain: string): boolean =>
  isLoopback(plain) ||
  Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => plainAddress(address) === plain));

/**
 * The hub's own ports and the services it depends on: database, mail server, file store. They are never reachable
 * through the hub, whichever networks are allowed.
 */
export const createOwnListeners = (settings: OwnSettings, ownPorts: () => (number | null)[], resolve: Resolve) => {
  const { FILE_STORE } = settings;
  const dependencies = [
    ...endpointOf(settings.DATABASE_URL),
    ...endpointOf(settings.SMTP_URL),
    ...endpointOf(settings.SMS_WEBHOOK_URL),
    ...(FILE_STORE?.kind === 's3' ? endpointOf(FILE_STORE.endpoint) : []),
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
    for (const { host, port: used } of dependencies) if (used === port && (await isAt(plain, host))) return true;
    return false;
  };
};
