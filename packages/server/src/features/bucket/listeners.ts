import { inUrl } from '../../platform/in-url.ts';
import type { Settings } from '../../platform/settings.ts';

type Given = Pick<Settings, 'HOST' | 'PUBLIC_URL' | 'MQTT_PUBLIC_URL'>;
/** null where a listener is off; one of the two is on. */
type Ports = { http: number; mqtt: number | null; mqtts: number | null };

const NEAR = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The hub's own HTTP, for what runs beside it. */
export const nearUrl = (host: string, port: number): string => `http://${inUrl(NEAR.get(host) ?? host)}:${port}`;

/** The hub's HTTP as devices reach it; '' where it listens on every address and nobody has said which they use. */
export const hubUrl = ({ HOST, PUBLIC_URL }: Pick<Given, 'HOST' | 'PUBLIC_URL'>, port: number): string =>
  PUBLIC_URL ?? (NEAR.has(HOST) ? '' : nearUrl(HOST, port));

/**
 * The hub's own listeners as devices reach them: what the operator says, else the address it listens on, else, when
 * that is every address, the one by which the device has just called. Where the hub has a certificate, devices use it.
 */
export const createListeners =
  (settings: Given, ports: () => Ports) =>
  (hostname: string): { mqtt: URL; ws: URL } => {
    const { http, mqtt, mqtts } = ports();
    const everywhere = settings.HOST === '0.0.0.0' || settings.HOST === '::';
    const host = inUrl(everywhere ? hostname : settings.HOST);
    const page = settings.PUBLIC_URL ?? `http://${host}:${http}`;
    const ws = new URL(`${page.replace(/^http/, 'ws').replace(/\/+$/, '')}/mqtt`);
    const own = mqtts === null ? `mqtt://${host}:${mqtt ?? 0}` : `mqtts://${host}:${mqtts}`;
    return { mqtt: new URL(settings.MQTT_PUBLIC_URL ?? own), ws };
  };
