import { inUrl } from '../../platform/in-url.ts';
import type { Settings } from '../../platform/settings.ts';

type ListenerSettings = Pick<Settings, 'HOST' | 'PUBLIC_URL' | 'MQTT_PUBLIC_URL'>;
/** null: the listener is off. At least one of mqtt and mqtts is on. */
type Ports = { http: number; mqtt: number | null; mqtts: number | null };

const LOOPBACK = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The hub's HTTP URL for processes on the same machine. */
export const localUrl = (host: string, port: number): string => `http://${inUrl(LOOPBACK.get(host) ?? host)}:${port}`;

/** The hub's HTTP URL for devices; '' if it listens on all addresses and PUBLIC_URL is not set. */
export const hubUrl = ({ HOST, PUBLIC_URL }: Pick<ListenerSettings, 'HOST' | 'PUBLIC_URL'>, port: number): string =>
  PUBLIC_URL ?? (LOOPBACK.has(HOST) ? '' : localUrl(HOST, port));

/**
 * The listener URLs for devices: as configured, else the listen address, else (when listening on all addresses) the
 * host name of the device's own request. With a certificate, TLS is used.
 */
export const createListeners =
  (settings: ListenerSettings, ports: () => Ports) =>
  (hostname: string): { mqtt: URL; ws: URL } => {
    const { http, mqtt, mqtts } = ports();
    const listensOnAll = settings.HOST === '0.0.0.0' || settings.HOST === '::';
    const host = inUrl(listensOnAll ? hostname : settings.HOST);
    const page = settings.PUBLIC_URL ?? `http://${host}:${http}`;
    const ws = new URL(`${page.replace(/^http/, 'ws').replace(/\/+$/, '')}/mqtt`);
    const own = mqtts === null ? `mqtt://${host}:${mqtt ?? 0}` : `mqtts://${host}:${mqtts}`;
    return { mqtt: new URL(settings.MQTT_PUBLIC_URL ?? own), ws };
  };
